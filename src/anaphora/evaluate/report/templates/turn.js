// One turn, in a dialog: what was said, tried, found, answered and cited.

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
    h("p", { class: "why" }, badge(verdict), " ", index.verdicts[verdict].why,
      run.search_failed[at] ? ` No relevant passage is among the first ${index.near} hits.` : null),
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
          ? h("p", { class: "note" }, "Also searched: ",
              rewrite.variants.map((text, order) => [order ? " · " : "", said("span", text, rewrite.lang)]).flat())
          : null),
      turn.human.map((text, order) => [
        h("dt", {}, order ? `${index.forms.human} ${order + 1}` : index.forms.human),
        h("dd", {}, said("p", text, rewrite.lang))]).flat()),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores of this turn" },
      h("table", { class: "scores" },
        h("caption", {}, `Scores; right is ${run.success[0]} ${run.success[1]}`),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Metric"),
          forms.map((name) => h("th", { scope: "col", class: "number" }, index.forms[name])))),
        h("tbody", {}, run.metrics.map((metric, place) =>
          h("tr", {}, h("th", { scope: "row" }, metric),
            forms.map((name) => h("td", { class: "number" }, number(turn.tried[name].scores[place])))))))));
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
  const shown = tried.reranked && order === "after" ? tried.reranked : tried.hits;
  if (!tried.found) return block("Hits", h("p", { class: "note" }, "Nothing was searched, or nothing was found."));
  const seen = new Set(shown.map(([, reference]) => reference));
  const missing = [...gold.keys()].filter((reference) => !seen.has(reference));
  return block("Hits",
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Hits" },
      h("table", { class: "hits" },
        h("thead", {}, h("tr", {},
          h("th", { scope: "col", class: "number" }, "Rank"),
          tried.reranked ? h("th", { scope: "col", class: "number" }, order === "after" ? "Was" : "Became") : null,
          h("th", { scope: "col" }, "Passage"),
          h("th", { scope: "col", class: "number" }, "Score"))),
        h("tbody", {}, shown.map(([rank, reference, score, other]) =>
          h("tr", { class: gold.has(reference) ? "gold" : null },
            h("td", { class: "number" }, String(rank)),
            tried.reranked ? h("td", { class: "number" }, movement(rank, other)) : null,
            h("td", { class: "passage" }, hit(reference, gold.get(reference))),
            h("td", { class: "number" }, score === null ? "" : String(score))))))),
    turn.gold.length
      ? h("p", { class: "note" }, missing.length
          ? `${counted(missing.length, "gold passage")} of ${turn.gold.length} not among these hits: ` : "Every gold passage is among these hits.")
      : null,
    missing.length ? h("ul", { class: "missing" }, missing.map((reference) => h("li", {}, hit(reference, gold.get(reference))))) : null);
};

const movement = (rank, other) => {
  if (other === null) return h("span", { class: "muted", title: "not among the hits" }, "–");
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
  // As much in every script: these characters are twice as wide.
  const long = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text) ? 110 : 220;
  if (points.length <= long) return h("div", {}, name, said("p", text, lang, { class: "snippet" }));
  return h("div", {}, name,
    h("details", { class: "snippet" },
      h("summary", {}, said("span", `${points.slice(0, long).join("")}…`, lang)),
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
