"use strict";
(() => {
  const PAGE = 50;
  const data = (name) => JSON.parse(document.getElementById(`data-${name}`).textContent);
  const index = data("index");
  const chunks = new Map();
  const chunk = (name) => {
    if (!chunks.has(name)) chunks.set(name, data(name));
    return chunks.get(name);
  };

  // Text from the data only ever becomes text nodes and attribute values, never HTML.
  const h = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "onclick") node.addEventListener("click", value);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  };
  const code = (lang) => (lang && lang !== "unknown" ? lang : null);
  const said = (tag, text, lang, attributes = {}) =>
    h(tag, { dir: "auto", lang: code(lang), ...attributes }, text);
  const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "code" });
  const languageName = (lang) => {
    if (!code(lang)) return "unknown";
    try {
      return languageNames.of(lang);
    } catch {
      return lang;
    }
  };
  const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
  const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const folded = (text) => text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  const badge = (verdict) =>
    h("span", { class: `badge badge-${verdict}` }, index.verdicts[verdict].label);

  // ---- the list: its state is the address, so that any view can be linked to ----

  const list = document.getElementById("turn-list");
  const form = document.getElementById("filters");
  const dialog = document.getElementById("turn");
  if (!list) return;
  const FIELDS = ["verdict", ...index.groupings, "phrasings"];
  const field = (name) => form.elements.namedItem(name);
  const rows = index.runs.map((run) =>
    run.id.map((id, at) => ({
      at,
      id,
      ...Object.fromEntries(FIELDS.map((name) => [name, run[name][at]])),
      words: null,
    })),
  );
  const words = (run, row) => {
    row.words ??= folded([row.id, run.question[row.at], run.rewrite[row.at] ?? ""].join("\n"));
    return row.words;
  };
  const failed = (verdict) => verdict !== "right" && verdict !== "unjudged";

  const readState = () => {
    const [name, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
    return name === "turns" ? new URLSearchParams(query) : null;
  };
  const address = (state, changes = {}) => {
    const next = new URLSearchParams(state);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === "") next.delete(name);
      else next.set(name, value);
    }
    return `#turns?${next}`;
  };
  let state = new URLSearchParams();

  const matching = () => {
    const number = Math.min(Number(state.get("run") ?? 0) || 0, index.runs.length - 1);
    const run = index.runs[number];
    const search = folded(state.get("q") ?? "").trim();
    const wanted = FIELDS.filter((name) => state.has(name)).map((name) => [name, state.get(name)]);
    const found = rows[number].filter(
      (row) =>
        wanted.every(([name, value]) => row[name] === value) &&
        (!state.has("failed") || failed(row.verdict)) &&
        (!search || words(run, row).includes(search)),
    );
    return { number, run, found };
  };

  const fillChoices = (name, number) => {
    const select = field(name);
    if (!select) return;
    const counts = new Map();
    for (const row of rows[number]) {
      counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
    }
    const order = Object.keys(index.verdicts);
    const keys = [...counts.keys()].sort((a, b) => {
      if (name === "depth") return parseInt(a, 10) - parseInt(b, 10);
      if (name === "verdict") return order.indexOf(a) - order.indexOf(b);
      return counts.get(b) - counts.get(a);
    });
    const signs = (value) =>
      Object.values(index.forms)
        .map((form, at) => [form, { 0: "✗", 1: "✓" }[value[at]]])
        .filter(([, sign]) => sign)
        .map(([form, sign]) => `${form} ${sign}`)
        .join(" · ");
    const labels = {
      verdict: (value) => index.verdicts[value].label,
      language: languageName,
      phrasings: signs,
    };
    const label = labels[name] ?? ((value) => value);
    select.replaceChildren(
      h("option", { value: "" }, "Any"),
      ...keys.map((value) => h("option", { value }, `${label(value)} (${counts.get(value)})`)),
    );
    select.closest("label").hidden = keys.length < 2;
  };

  const render = () => {
    const { number, run, found } = matching();
    if (list.dataset.run !== String(number)) {
      FIELDS.forEach((name) => fillChoices(name, number));
      list.dataset.run = number;
    }
    for (const name of [...FIELDS, "run", "q"]) {
      const input = field(name);
      if (input && input !== document.activeElement) {
        input.value = state.get(name) ?? (name === "run" ? "0" : "");
      }
    }
    field("failed").checked = state.has("failed");
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    const page = Math.min(Math.max(1, Number(state.get("page") ?? 1) || 1), pages);
    const shown = found.slice((page - 1) * PAGE, page * PAGE);
    const total = rows[number].length;
    document.getElementById("found").textContent =
      found.length === total
        ? counted(total, "turn")
        : `${found.length.toLocaleString("en")} of ${counted(total, "turn")}`;
    document.getElementById("score-name").textContent = run.success[0];
    list.replaceChildren(...shown.map((row) => listRow(run, row)));
    if (!shown.length) {
      list.append(
        h("tr", {}, h("td", { colspan: 5, class: "empty" }, "No turn matches these filters. ",
          h("a", { href: address(new URLSearchParams(), { run: number || null }) }, "Show all"))),
      );
    }
    const step = (label, to, enabled) =>
      enabled
        ? h("a", { class: "button", href: address(state, { page: to, open: null }) }, label)
        : h("span", { class: "button", "aria-disabled": "true" }, label);
    document.getElementById("pages").replaceChildren(
      ...(pages > 1
        ? [step("Previous", page - 1, page > 1), h("span", {}, `Page ${page} of ${pages}`),
           step("Next", page + 1, page < pages)]
        : []),
    );
    showTurn(number, run, found);
  };

  const listRow = (run, row) => {
    const rewrite = run.rewrite[row.at];
    return h("tr", {},
      h("td", { class: "depth" }, row.depth),
      h("th", { scope: "row" },
        said("a", run.question[row.at] || "(empty)", row.language, 
          { href: address(state, { open: row.id }), "data-turn": `${list.dataset.run}/${row.id}` }),
        rewrite === null ? null : said("span", rewrite, row.language, { class: "rewrite" })),
      h("td", { class: "lang", title: languageName(row.language) }, row.language),
      h("td", { class: "number" }, number(run.score[row.at])),
      h("td", { class: "verdict" }, badge(row.verdict)),
    );
  };

  const changed = (event) => {
    const next = {};
    for (const name of [...FIELDS, "run", "q"]) {
      if (field(name)) next[name] = field(name).value;
    }
    if (next.run === "0") next.run = null;
    // What one system's turns can be filtered by, another's may not.
    if (event.target.name === "run") FIELDS.forEach((name) => { next[name] = null; });
    next.failed = field("failed").checked ? "1" : null;
    history.replaceState(null, "", address(new URLSearchParams(), next));
    state = readState();
    render();
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    location.hash = address(new URLSearchParams(), { run: state.get("run") });
  });

  // ---- one turn ----

  let tab = "rewritten";
  let order = "after";
  let open = null;

  const showTurn = (number, run, found) => {
    const id = state.get("open");
    const at = id === null ? -1 : run.id.indexOf(id);
    if (at < 0) {
      if (dialog.open) dialog.close();
      const last = open && [...list.querySelectorAll("a")].find((link) => link.dataset.turn === open);
      last?.focus();
      open = null;
      return;
    }
    const fresh = open !== `${number}/${id}`;
    open = `${number}/${id}`;
    if (fresh) {
      tab = "rewritten";
      order = "after";
    }
    drawTurn(number, run, found, at);
    if (!dialog.open) dialog.showModal();
    if (fresh) {
      dialog.scrollTop = 0;
      document.getElementById("turn-title").focus();
    }
  };
  const close = () => { location.hash = address(state, { open: null }); };
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });

  const drawTurn = (number, run, found, at) => {
    const part = chunk(`turns-${number}-${Math.floor(at / index.chunk)}`);
    const turn = part.turns[at % index.chunk];
    if (!turn.tried[tab]) tab = "rewritten";
    const view = { number, run, at, turn, talk: turn.said.map((text) => part.texts[text]) };
    dialog.replaceChildren(
      turnHead(view, found),
      h("div", { class: "turn-body" },
        h("div", {}, conversation(view), phrasings(view)),
        h("div", {}, tabs(view, found), answerPart(view), hitsPart(view), timesPart(view))),
    );
  };

  const turnHead = ({ number, run, at }, found) => {
    const verdict = run.verdict[at];
    const place = found.findIndex((row) => row.at === at);
    const step = (label, sign, row) =>
      row
        ? h("a", { class: "button", href: address(state, { open: row.id }), "aria-label": label, title: label,
                   "data-step": sign }, sign)
        : h("span", { class: "button", "aria-disabled": "true" }, sign);
    const others = index.runs
      .map((other, position) => ({ other, position }))
      .filter(({ other, position }) => position !== number && other.id.includes(run.id[at]));
    return h("header", { class: "turn-head" },
      h("div", { class: "turn-tools" },
        step("Previous turn", "←", found[place - 1]),
        h("span", { class: "place" }, place < 0 ? "" : `${place + 1} of ${found.length}`),
        step("Next turn", "→", place < 0 ? undefined : found[place + 1]),
        h("button", { type: "button", class: "close", onclick: close, "aria-label": "Close", title: "Close" }, "✕")),
      said("h2", run.question[at] || "(empty)", run.language[at], { id: "turn-title", tabindex: -1 }),
      h("p", { class: "meta" },
        h("span", {}, index.runs.length > 1 ? `${run.name} · ` : "", languageName(run.language[at]), ` · question ${run.depth[at]} · `),
        h("span", { class: "id" }, run.id[at])),
      h("p", { class: "why" }, badge(verdict), " ", index.verdicts[verdict].why),
      others.length
        ? h("p", { class: "meta" }, "The same turn with ",
            others.map(({ other, position }, order) => [order ? ", " : "",
              h("a", { href: address(state, { run: position || null, open: run.id[at], verdict: null }) },
                other.dataset === run.dataset ? other.name : `${other.name} (${other.dataset})`)]).flat())
        : null);
  };

  const block = (title, ...content) => h("section", {}, h("h3", {}, title), ...content);

  // Texts of the other turns that a rewriter took over, marked where they stand.
  const withSources = (text, taken) => {
    const spans = [];
    for (const words of taken) {
      const start = text.toLowerCase().indexOf(words.toLowerCase());
      if (start >= 0) spans.push([start, start + words.length]);
    }
    spans.sort((a, b) => a[0] - b[0]);
    const parts = [];
    let at = 0;
    for (const [start, end] of spans) {
      if (start < at) continue;
      parts.push(text.slice(at, start), h("mark", {}, text.slice(start, end)));
      at = end;
    }
    return [...parts, text.slice(at)];
  };

  const conversation = ({ turn, talk }) => {
        const taken = (position) =>
      turn.pieces.filter(([kind, text, source]) => kind === 1 && source === position && text.trim())
        .map(([, text]) => text.trim());
    return block("Conversation",
      turn.title ? h("p", { class: "meta" }, "About ", said("span", turn.title, null)) : null,
      h("ol", { class: "talk" },
        talk.map(([role, text, lang], position) =>
          h("li", { class: role },
            h("span", { class: "who" }, `${position + 1} · ${role}`),
            said("p", withSources(text, taken(position)), lang)))));
  };

  const edited = (pieces) =>
    pieces.map(([kind, text, source]) => {
      if (kind === 0) return text;
      if (kind === 2) return h("del", {}, text);
      if (!text.trim()) return text;
      return h("ins", {}, text, source === null ? null : h("sup", { title: `from turn ${source + 1}` }, source + 1));
    });

  const phrasings = ({ run, turn }) => {
    const rewrite = turn.tried.rewritten.rewrite;
    const sources = turn.pieces.some(([kind, , source]) => kind === 1 && source !== null);
    const forms = Object.keys(index.forms).filter((name) => turn.tried[name]);
    const same = turn.pieces.every(([kind]) => kind === 0);
    return block("The question",
      h("dl", { class: "forms" },
        h("dt", {}, index.forms.rewritten),
        h("dd", {}, said("p", edited(turn.pieces), rewrite.lang, { class: "edited" }),
          same ? h("p", { class: "note" }, rewrite.search ? "Left as it was asked." : "Taken as small talk: nothing was searched.") : null,
          sources ? h("p", { class: "note" }, "Raised numbers name the turn that the words come from.") : null,
          rewrite.variants.length
            ? h("p", { class: "note" }, "Searched beside it: ",
                rewrite.variants.map((text, order) => [order ? " · " : "", said("span", text, rewrite.lang)]).flat())
            : null),
        turn.human.map((text, order) => [
          h("dt", {}, order ? `${index.forms.human} ${order + 1}` : index.forms.human),
          h("dd", {}, said("p", text, rewrite.lang))]).flat()),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores of this turn" },
        h("table", { class: "scores" },
          h("caption", {}, `Scores; right is ${run.success[0]} ${run.success[1]}`),
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Form"),
            run.metrics.map((name) => h("th", { scope: "col", class: "number" }, name)))),
          h("tbody", {}, forms.map((name) =>
            h("tr", {}, h("th", { scope: "row" }, index.forms[name]),
              turn.tried[name].scores.map((score) => h("td", { class: "number" }, number(score)))))))));
  };

  const redraw = (found, view, id) => {
    drawTurn(view.number, view.run, found, view.at);
    document.getElementById(id)?.focus();
  };

  const choice = (label, name, options, chosen, choose) =>
    h("fieldset", { class: "choice" }, h("legend", {}, label),
      options.map(([value, text]) => {
        const input = h("input", { type: "radio", name, value, id: `${name}-${value}`, checked: value === chosen });
        input.addEventListener("change", () => choose(value, input.id));
        return h("label", {}, input, h("span", {}, text));
      }));

  const tabs = (view, found) => {
    const forms = Object.keys(index.forms).filter((name) => view.turn.tried[name]);
    const tried = view.turn.tried[tab];
    const choices = [];
    if (forms.length > 1) {
      choices.push(choice("Asked as", "tab", forms.map((name) => [name, index.forms[name]]), tab,
        (value, id) => { tab = value; redraw(found, view, id); }));
    }
    if (tried.reranked) {
      choices.push(choice("Hits", "order", [["after", "After reranking"], ["before", "Before"]], order,
        (value, id) => { order = value; redraw(found, view, id); }));
    }
    return choices.length ? h("div", { class: "choices" }, choices) : "";
  };

  const passage = (reference) => {
    if (typeof reference === "string") return { id: reference, title: "", text: null, lang: null };
    const [id, title, text, lang] =
      chunk(`passages-${Math.floor(reference / index.chunk)}`)[reference % index.chunk];
    return { id, title, text, lang };
  };

  // Citations count code points; JavaScript's strings count UTF-16 units.
  const quoted = (text, spans) => {
    const points = [...text];
    const parts = [];
    let at = 0;
    for (const [start, end, label] of [...spans].sort((a, b) => a[0] - b[0])) {
      if (start < at) continue;
      parts.push(points.slice(at, start).join(""),
        h("mark", {}, points.slice(start, end).join(""), h("sup", {}, label)));
      at = end;
    }
    return [...parts, points.slice(at).join("")];
  };

  const answerPart = (view) => {
    const { turn } = view;
    const answer = turn.tried[tab].answer;
    const gold = turn.answers.length
      ? block(turn.answers.length > 1 ? "Gold answers" : "Gold answer",
          h("ul", { class: "gold-answers" }, turn.answers.map((text) => said("li", text, null))))
      : turn.answerable === false
        ? block("Gold answer", h("p", { class: "note" }, "The documents hold no answer: the right thing is to say so."))
        : null;
    if (!answer) return h("div", { class: "pair" }, gold ?? "");
    const cited = new Map();
    answer.citations.forEach(([reference, start, end, quote, title], position) => {
      const found = passage(reference);
      const fits = found.text !== null && [...found.text].slice(start, end).join("") === quote;
      const key = fits ? found.id : `${found.id} ${position}`;
      if (!cited.has(key)) cited.set(key, { ...found, title: found.title || title, text: fits ? found.text : quote, spans: [] });
      cited.get(key).spans.push(fits ? [start, end, position + 1] : [0, [...quote].length, position + 1]);
    });
    return h("div", {},
      h("div", { class: "pair" },
        block("Answer",
          said("p", marks(answer), answer.lang, { class: "answer" }),
          h("p", { class: "note" }, answer.abstained ? "It says that the documents hold no answer. " : "",
            `Confidence ${answer.confidence.toFixed(2)}, language ${answer.lang}.`)),
        gold ?? ""),
      cited.size
        ? block("What it cites", h("ul", { class: "citations" },
            [...cited.values()].map((one) =>
              h("li", {},
                h("p", { class: "title" }, said("span", one.title || one.id, one.lang), " ", h("span", { class: "id" }, one.id)),
                said("p", quoted(one.text, one.spans), one.lang)))))
        : null);
  };
  const marks = (answer) =>
    answer.text.split(/(\[\d+\])/).map((part) =>
      /^\[\d+\]$/.test(part) && Number(part.slice(1, -1)) <= answer.citations.length
        ? h("sup", { class: "cite" }, part.slice(1, -1))
        : part);

  const hitsPart = ({ turn }) => {
    const tried = turn.tried[tab];
    const gold = new Map(turn.gold);
    const before = new Map(tried.hits.map(([rank, reference, score]) => [reference, { rank, score }]));
    const after = tried.reranked && new Map(tried.reranked.map(([rank, reference, score]) => [reference, { rank, score }]));
    const shown = tried.reranked && order === "after" ? tried.reranked : tried.hits;
    if (!tried.found) return block("Hits", h("p", { class: "note" }, "Nothing was searched, or nothing was found."));
    const seen = new Set(shown.map(([, reference]) => reference));
    const missing = [...gold.keys()].filter((reference) => !seen.has(reference));
    return block("Hits",
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Hits" },
        h("table", { class: "hits" },
          h("thead", {}, h("tr", {},
            h("th", { scope: "col", class: "number" }, "Rank"),
            after ? h("th", { scope: "col", class: "number" }, order === "after" ? "Was" : "Became") : null,
            h("th", { scope: "col" }, "Passage"),
            h("th", { scope: "col", class: "number" }, "Score"))),
          h("tbody", {}, shown.map(([rank, reference, score]) => {
            const other = after && (order === "after" ? before : after).get(reference);
            return h("tr", { class: gold.has(reference) ? "gold" : null },
              h("td", { class: "number" }, String(rank)),
              after ? h("td", { class: "number" }, movement(rank, other?.rank)) : null,
              h("td", { class: "passage" }, hit(reference, gold.get(reference))),
              h("td", { class: "number" }, score === null ? "" : String(score)));
          })))),
      turn.gold.length
        ? h("p", { class: "note" }, missing.length
            ? `${counted(missing.length, "gold passage")} of ${turn.gold.length} not among these hits: ` : "Every gold passage is among these hits.")
        : null,
      missing.length ? h("ul", { class: "missing" }, missing.map((reference) => h("li", {}, hit(reference, gold.get(reference))))) : null);
  };

  const movement = (rank, other) => {
    if (other === undefined) return h("span", { class: "muted", title: "outside the hits shown" }, "–");
    const up = order === "after" ? other - rank : rank - other;
    return h("span", { class: up > 0 ? "up" : up < 0 ? "down" : "muted" }, String(other),
      up === 0 ? " =" : up > 0 ? " ▲" : " ▼");
  };

  const hit = (reference, grade) => {
    const { id, title, text, lang } = passage(reference);
    const name = h("p", { class: "title" },
      grade === undefined ? null : h("span", { class: "gold-mark" }, grade > 1 ? `gold ${grade}` : "gold"),
      title ? said("span", title, lang) : null, " ", h("span", { class: "id" }, id));
    if (text === null) return name;
    const points = [...text];
    const LONG = 220;
    if (points.length <= LONG) return h("div", {}, name, said("p", text, lang, { class: "snippet" }));
    return h("div", {}, name,
      h("details", { class: "snippet" },
        h("summary", {}, said("span", `${points.slice(0, LONG).join("")}…`, lang)),
        said("p", text, lang)));
  };

  const timesPart = ({ turn }) => {
    const seconds = Object.entries(turn.tried[tab].seconds);
    if (!seconds.length) return "";
    return h("p", { class: "note times" },
      seconds.map(([stage, value]) => `${stage} ${(1000 * value).toFixed(value < 0.01 ? 1 : 0)} ms`).join(" · "));
  };

  document.addEventListener("keydown", (event) => {
    if (!dialog.open || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.matches("input, select, .scroll")) return;
    const sign = { ArrowLeft: "←", ArrowRight: "→" }[event.key];
    const link = sign && dialog.querySelector(`[data-step="${sign}"]`);
    if (link) location.hash = link.hash;
  });

  // ---- which system the sections show ----

  const pick = document.getElementById("system");
  const show = () => {
    for (const part of document.querySelectorAll("[data-run-section]")) {
      part.classList.toggle("other-system", part.dataset.runSection !== pick.value);
    }
  };
  if (pick) {
    pick.addEventListener("change", show);
    show();
  }

  const follow = () => {
    const was = open;
    const next = readState();
    if (next === null) {
      if (dialog.open) dialog.close();
      open = null;
      return;
    }
    state = next;
    render();
    if (open === null && was === null) document.getElementById("turns").scrollIntoView();
  };
  window.addEventListener("hashchange", follow);
  state = readState() ?? new URLSearchParams();
  render();
  if (readState() && open === null) document.getElementById("turns").scrollIntoView();
})();
