// The inspector: how one answer came about, stage by stage, and what to do about a wrong one.

import { announce, fill, h, icon, shownName } from "./dom.js";
import { diffParts } from "./diff.js";
import { languageName, t } from "./i18n.js";
import { openPanel } from "./panel.js";
import { state } from "./state.js";

const STAGES = ["rewriting", "retrieval", "reranking", "reading", "language"];

/**
 * Opens the inspector on a turn: the form of `ask` with `trace`.
 *
 * `actions` are what the page can do with the turn. Each returns a promise:
 * `ask(overrides)` asks the question again as a branch of the conversation,
 * `compare(overrides)` answers it without storing and returns the form of `ask`,
 * `feedback(body)` stores a judgement, `attribute(body)` returns the form "Attribution",
 * `open(citation)` opens the source viewer at { passage_id, start, end }.
 */
export function openInspector(turn, actions) {
  const panel = openPanel({ title: t("inspector.title"), kind: "inspector", wide: true });
  const view = { turn, actions, pinned: new Set(), excluded: new Set(), right: new Set() };
  fill(
    panel.body,
    section("question", questionPart(view)),
    turn.trace.rewrite && section("search", hitsPart(view)),
    turn.trace.confidence !== null && section("answer", answerPart(view)),
    section("times", timesPart(turn.trace)),
    section("languages", languagesPart(view)),
    turn.trace.rewrite && section("compare", comparePart(view)),
    section("wrong", wrongPart(view)),
  );
}

function section(name, ...children) {
  const id = `inspector-${name}`;
  return h("section", { class: "inspector-section", "aria-labelledby": id }, h("h3", { id }, t(`inspector.${name}`)), children);
}

function button(label, onclick, properties = {}) {
  return h("button", { type: "button", class: "quiet", onclick, ...properties }, label);
}

function text(content, properties = {}) {
  return h("bdi", { dir: "auto", ...properties }, content);
}

// The question.

function questionPart({ turn, actions }) {
  const { trace } = turn;
  const { rewrite } = trace;
  if (!rewrite) return h("p", {}, t(`inspector.courtesy`));
  const parts = diffParts(turn.question, rewrite);
  const sources = h("ol", { class: "inspector-turns" });
  const history = trace.turns.slice(0, -1);
  fill(
    sources,
    history.map((one, at) =>
      h(
        "li",
        { id: `inspector-turn-${at}`, tabindex: "-1" },
        h("span", { class: "inspector-role" }, t(`inspector.${one.role}`)),
        text(shortened(one.text)),
      ),
    ),
  );
  return [
    h("p", { class: "inspector-diff", dir: "auto" }, parts ? parts.map(diffPart) : text(rewrite.rewrite)),
    !parts && h("p", { class: "soft" }, t("inspector.asked"), " ", text(turn.question)),
    h(
      "p",
      { class: "soft" },
      t(`inspector.decision.${(rewrite.decision ?? "none").replace(" ", "-")}`),
      rewrite.decision ? ` · ${percent(rewrite.confidence)}` : "",
      rewrite.reason ? [" · ", text(rewrite.reason, { lang: "en" })] : "",
    ),
    rewrite.variants.length > 0 &&
      h("p", { class: "soft" }, t("inspector.variants"), " ", rewrite.variants.map((one) => [text(one), " "])),
    rewrite.alternatives.length > 0 && [
      h("h4", {}, t("inspector.alternatives")),
      h(
        "ul",
        { class: "inspector-alternatives" },
        rewrite.alternatives.map((one) =>
          h("li", {}, text(one), button(t("inspector.ask-this"), () => actions.ask({ question: one, as_asked: true }))),
        ),
      ),
    ],
    rewrite.rewrite !== turn.question &&
      h("p", {}, button(t("inspector.undo"), () => actions.ask({ as_asked: true }))),
    history.length > 0 && [h("h4", {}, t("inspector.history")), sources],
  ];
}

function diffPart({ kind, text: content, source }) {
  if (kind === "kept") return content;
  if (kind === "delete") return h("del", {}, content);
  const inserted = h("ins", {}, content);
  if (source === null) return inserted;
  const label = t("inspector.from-turn", { number: source + 1 });
  return h("button", { type: "button", class: "inspector-source", title: label, onclick: () => showTurn(source) }, inserted, h("span", { class: "off-screen" }, ` (${label})`));
}

function showTurn(at) {
  const item = document.getElementById(`inspector-turn-${at}`);
  for (const other of item.parentElement.children) other.classList.toggle("lit", other === item);
  item.focus();
  item.scrollIntoView({ block: "center" });
}

// Search and ranking.

function hitsPart(view) {
  const { turn } = view;
  const { trace } = turn;
  const before = new Map(trace.retrieved.map((hit) => [hit.passage_id, hit]));
  const read = trace.reranked.length ? trace.reranked : trace.retrieved;
  const kept = new Set(read.map((hit) => hit.passage_id));
  const cited = new Map(turn.citations.map((one, at) => [one.passage_id, at + 1]).reverse());
  const rejected = trace.retrieved.filter((hit) => !kept.has(hit.passage_id));
  const again = h("p", { class: "inspector-again", hidden: true });
  const refresh = () => {
    again.hidden = view.pinned.size + view.excluded.size === 0;
    fill(
      again,
      button(t("inspector.again", { pinned: view.pinned.size, excluded: view.excluded.size }), () =>
        view.actions.ask({ pinned: [...view.pinned], excluded: [...view.excluded] }),
      ),
    );
  };
  const row = (hit, place) => hitRow(view, hit, before.get(hit.passage_id), cited.get(hit.passage_id), place, refresh);
  if (read.length === 0) return h("p", {}, t("inspector.nothing-found"));
  return [
    h(
      "div",
      { class: "inspector-scroll", tabindex: "0", role: "region", "aria-label": t("inspector.search") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["rank", "passage", "lexical", "dense", "fused", "relevance", "choose"].map((name) =>
              h("th", { scope: "col", title: t(`inspector.${name}-help`) }, t(`inspector.${name}`)),
            ),
          ),
        ),
        h("tbody", {}, read.map((hit) => row(hit, hit.rank))),
        rejected.length > 0 &&
          h(
            "tbody",
            { class: "rejected" },
            h("tr", {}, h("th", { colspan: "7", scope: "rowgroup" }, t("inspector.rejected", { count: rejected.length }))),
            rejected.map((hit) => row(hit, null)),
          ),
      ),
    ),
    again,
  ];
}

function hitRow(view, hit, found, cited, place, refresh) {
  const moved = found && place !== null && found.rank !== place ? t("inspector.was", { number: found.rank }) : "";
  const sources = (found ?? hit).sources;
  const span = hit.spans[0];
  const open = () => view.actions.open({ passage_id: hit.passage_id, start: span?.start ?? 0, end: span?.end ?? 0 });
  const toggle = (set, value, name) =>
    h(
      "button",
      {
        type: "button",
        class: "inspector-toggle",
        "aria-pressed": "false",
        onclick: ({ currentTarget }) => {
          const pressed = !set.delete(value) && Boolean(set.add(value));
          currentTarget.setAttribute("aria-pressed", String(pressed));
          refresh();
        },
      },
      t(`inspector.${name}`),
    );
  return h(
    "tr",
    { class: cited ? "cited" : "" },
    h("td", {}, place ?? (found ?? hit).rank, moved && h("small", {}, moved)),
    h(
      "th",
      { scope: "row" },
      h("button", { type: "button", class: "inspector-passage", onclick: open }, text(shownName(hit.title || hit.doc_id))),
      cited && h("span", { class: "inspector-cited" }, t("inspector.cited", { number: cited })),
      span && h("p", { class: "inspector-span", dir: "auto" }, h("mark", {}, shortened(span.text, 160)), h("small", {}, ` ${signed(span.score)}`)),
    ),
    h("td", {}, number(sources.lexical)),
    h("td", {}, number(sources.dense ?? hit.cosine)),
    h("td", {}, number(found?.score)),
    h("td", {}, hit.relevance === null ? "–" : [percent(logistic(hit.relevance)), h("small", {}, ` ${signed(hit.relevance)}`)]),
    h("td", { class: "inspector-choices" }, toggle(view.pinned, hit.passage_id, "pin"), toggle(view.excluded, hit.doc_id, "exclude"), toggle(view.right, hit.passage_id, "right")),
  );
}

// What was read and written.

function answerPart({ turn, actions }) {
  const { trace } = turn;
  const state = trace.abstained ? "abstained" : "answered";
  return [
    h("p", {}, t(`inspector.${state}`), ` · ${t("inspector.confidence", { share: percent(trace.confidence) })}`),
    h(
      "ol",
      { class: "inspector-citations" },
      turn.citations.map((one) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "inspector-passage",
              onclick: () => actions.open(one),
            },
            text(shownName(one.title || one.doc_id)),
          ),
          one.span && h("p", { class: "inspector-span", dir: "auto" }, h("mark", {}, one.span)),
        ),
      ),
    ),
    trace.writing && writingPart(trace.writing),
  ];
}

function writingPart(writing) {
  return [
    h("h4", {}, t("inspector.written", { model: writing.model })),
    writing.fallback && h("p", { class: "soft" }, t("inspector.fallback"), " ", text(writing.fallback, { lang: "en" })),
    writing.notes.length > 0 && h("ul", { class: "soft" }, writing.notes.map((note) => h("li", {}, text(note, { lang: "en" })))),
    h(
      "ol",
      { class: "inspector-statements" },
      writing.statements.map((one) =>
        h(
          "li",
          { class: one.fate },
          h("p", { dir: "auto" }, statementText(one)),
          h(
            "small",
            {},
            t(`inspector.fate.${one.fate}`),
            one.fault ? ` · ${t(`inspector.fault.${one.fault}`)}` : "",
            one.probability === null ? "" : ` · ${t("inspector.supported", { share: percent(one.probability) })}`,
          ),
        ),
      ),
    ),
  ];
}

/** The sentence; struck out where it is not shown, with what nothing supports marked. */
function statementText(statement) {
  const letters = Array.from(statement.text);
  const parts = [];
  let at = 0;
  for (const [start, end] of statement.unsupported) {
    parts.push(letters.slice(at, start).join(""), h("mark", { class: "unsupported" }, letters.slice(start, end).join("")));
    at = end;
  }
  parts.push(letters.slice(at).join(""));
  return statement.fate === "struck" ? h("s", {}, parts) : parts;
}

// Times and languages.

function timesPart(trace) {
  const total = trace.stages.reduce((sum, stage) => sum + stage.seconds, 0) || 1;
  let begun = 0;
  const rows = trace.stages.map((stage) => {
    const bar = h("span", { class: "inspector-bar" });
    bar.style.setProperty("--from", begun / total);
    bar.style.setProperty("--share", stage.seconds / total);
    begun += stage.seconds;
    return h(
      "li",
      {},
      h("span", {}, t(`inspector.stage.${stage.name}`)),
      h("span", { class: "inspector-track", "aria-hidden": "true" }, bar),
      h("span", { class: "inspector-time" }, t("inspector.milliseconds", { count: Math.round(1000 * stage.seconds) })),
      stage.cut && h("small", { class: "doubt" }, text(stage.cut, { lang: "en" })),
    );
  });
  return [
    h("ul", { class: "inspector-times" }, rows),
    h("p", { class: "soft" }, t("inspector.total", { count: Math.round(1000 * total) })),
  ];
}

function languagesPart({ turn }) {
  const { trace } = turn;
  const name = (code) => (code && code !== "unknown" ? languageName(code) : t("inspector.unknown"));
  const passages = [...new Set(trace.retrieved.map((hit) => hit.lang))];
  const rows = [
    ["language-question", name(trace.lang)],
    trace.rewrite && ["language-search", name(trace.rewrite.lang)],
    passages.length > 0 && ["language-passages", passages.map(name).join(", ")],
    trace.answer_lang && ["language-answer", name(trace.answer_lang)],
  ];
  return h("dl", { class: "inspector-languages" }, rows.filter(Boolean).map(([key, value]) => [h("dt", {}, t(`inspector.${key}`)), h("dd", {}, value)]));
}

// Comparing settings.

function comparePart(view) {
  const { turn, actions } = view;
  const choice = h(
    "select",
    { id: "inspector-configuration" },
    state.configurations.map((name) => h("option", { value: name }, name)),
    h("option", { value: "" }, t("inspector.as-asked")),
  );
  const result = h("div", { class: "inspector-pair", "aria-live": "polite" });
  const run = button(t("inspector.compare-run"), async () => {
    const overrides = choice.value ? { configuration: choice.value } : { as_asked: true };
    await working(run, result, async () => {
      const other = await actions.compare({ ...overrides, pinned: [...view.pinned], excluded: [...view.excluded] });
      fill(result, answerCard(t("inspector.this-answer"), turn), answerCard(choice.selectedOptions[0].textContent, other));
    });
  });
  return [h("p", {}, h("label", { for: "inspector-configuration" }, t("inspector.configuration")), " ", choice, " ", run), result];
}

function answerCard(title, form) {
  return h(
    "article",
    {},
    h("h4", {}, title),
    h("p", { class: "soft", dir: "auto" }, form.rewrite),
    h("p", { class: "inspector-answer", dir: "auto" }, form.answer),
    h("p", { class: "soft" }, t("inspector.confidence", { share: percent(form.confidence) })),
    h("ol", {}, form.citations.map((one) => h("li", {}, text(shownName(one.title || one.doc_id))))),
  );
}

/** Runs work with its button disabled; an error is shown where the result would be. */
async function working(control, place, work) {
  control.disabled = true;
  fill(place, h("p", { class: "soft" }, t("inspector.working")));
  try {
    await work();
  } catch (error) {
    fill(place, h("p", { class: "problem", role: "alert" }, error.message));
  } finally {
    control.disabled = false;
  }
}

// A wrong answer.

function wrongPart(view) {
  const { actions } = view;
  const field = (name, rows) =>
    h("p", {}, h("label", { for: `inspector-${name}` }, t(`inspector.${name}`)), h("textarea", { id: `inspector-${name}`, rows, dir: "auto" }));
  const expected = field("expected", 2);
  const rewrite = field("rewrite", 2);
  const value = (part) => part.querySelector("textarea").value.trim();
  const stages = h(
    "fieldset",
    {},
    h("legend", {}, t("inspector.stage-wrong")),
    STAGES.map((name) => h("label", {}, h("input", { type: "radio", name: "inspector-stage", value: name }), " ", t(`inspector.cause.${name}`))),
  );
  const result = h("div", { "aria-live": "polite" });
  const mark = button(t("inspector.mark"), () =>
    working(mark, result, async () => {
      const stage = stages.querySelector("input:checked")?.value;
      await actions.feedback({ verdict: "wrong", ...(stage && { stage }), ...(value(expected) && { expected: value(expected) }) });
      fill(result, h("p", {}, icon("check"), " ", t("inspector.marked")));
      announce(t("inspector.marked"));
    }),
  );
  const find = button(t("inspector.find-cause"), () =>
    working(find, result, async () => {
      const found = await actions.attribute({ expected: value(expected), rewrite: value(rewrite), relevant: [...view.right] });
      fill(result, causePart(found));
    }),
  );
  return [
    h("p", { class: "soft" }, t("inspector.wrong-help")),
    expected,
    rewrite,
    stages,
    h("p", { class: "inspector-buttons" }, mark, view.turn.trace.rewrite && find),
    result,
  ];
}

function causePart(found) {
  const verdict = found.right ? "right" : (found.cause ?? "unknown");
  return [
    h("p", { class: "inspector-cause" }, t(`inspector.cause-is.${verdict}`)),
    h(
      "div",
      { class: "inspector-scroll", tabindex: "0", role: "region", "aria-label": t("inspector.find-cause") },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ["phrasing", "searched", "answer-given", "score"].map((name) => h("th", { scope: "col" }, t(`inspector.${name}`))))),
        h(
          "tbody",
          {},
          Object.entries(found.phrasings).map(([name, one]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, t(`inspector.phrasing.${name}`)),
              h("td", { dir: "auto" }, one.question),
              h("td", { dir: "auto" }, shortened(one.answer, 240)),
              h("td", {}, number(one.score)),
            ),
          ),
        ),
      ),
    ),
    found.search_failed && h("p", { class: "soft" }, t("inspector.search-failed")),
  ];
}

// Numbers and texts.

function shortened(content, most = 300) {
  const letters = Array.from(content);
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : content;
}

function number(value) {
  return value === undefined || value === null ? "–" : new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(value);
}

function percent(value) {
  return new Intl.NumberFormat(undefined, { style: "percent" }).format(value);
}

function signed(value) {
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(value);
}

function logistic(value) {
  return 1 / (1 + Math.exp(-value));
}

