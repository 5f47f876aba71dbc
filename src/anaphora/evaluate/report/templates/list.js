// The list of turns. Its state is the address, so that any view can be linked to.

const list = document.getElementById("turn-list");
const form = document.getElementById("filters");
const dialog = document.getElementById("turn");
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
