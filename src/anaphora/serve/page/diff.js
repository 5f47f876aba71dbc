// A rewritten question as the question that was asked, with what was put in and taken out.

/**
 * The parts of a rewrite in reading order: { kind: "kept" | "insert" | "delete", text, source }.
 *
 * `source` is the index of the turn that an inserted text came from, or null. Returns null where
 * the edits do not lead from the question to the rewrite, as with rewriters that report none.
 */
export function diffParts(question, rewrite) {
  const letters = Array.from(question);
  const parts = [];
  let at = 0;
  const keep = (end) => {
    if (end > at) parts.push({ kind: "kept", text: letters.slice(at, end).join(""), source: null });
    at = Math.max(at, end);
  };
  for (const edit of [...rewrite.edits].sort((one, other) => one.position - other.position)) {
    keep(edit.position);
    const removed = edit.kind === "delete" ? edit.text : edit.replaced;
    if (removed) {
      parts.push({ kind: "delete", text: removed, source: null });
      at += Array.from(removed).length;
    }
    if (edit.kind !== "delete") parts.push({ kind: "insert", text: edit.text, source: edit.source_turn });
  }
  keep(letters.length);
  const result = parts.filter((part) => part.kind !== "delete").map((part) => part.text).join("");
  return bare(result) === bare(rewrite.rewrite) ? spaced(parts, rewrite.rewrite) : null;
}

/** The parts with the white space that the rewrite has between them. */
function spaced(parts, whole) {
  const result = [];
  let at = 0;
  for (const part of parts) {
    const found = part.kind === "delete" ? -1 : whole.indexOf(part.text.trim(), at);
    if (found > at && /^\s+$/.test(whole.slice(at, found)) && !/^\s/.test(part.text)) {
      result.push({ kind: "kept", text: " ", source: null });
    }
    if (found >= 0) at = found + part.text.trimEnd().length;
    result.push(part);
  }
  return result;
}

/** Letters and digits alone: a rewriter mends spaces and the first letter without an edit. */
function bare(text) {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, "");
}
