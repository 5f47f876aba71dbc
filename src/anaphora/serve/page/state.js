// What the page knows: who is signed in, the indexes, and the open conversation as a tree of turns.

export const state = {
  session: null,
  indexes: [],
  configurations: ["default"],
  index: "",
  configuration: "default",
  conversation: null,
};

/** A conversation that is not stored yet. */
export function newConversation() {
  return { id: null, title: "", turns: [], chosen: new Map() };
}

/** A conversation from the server's form; its newest turn is the end of the chosen path. */
export function openedConversation(form) {
  const conversation = { ...newConversation(), ...form, turns: form.turns.map((turn) => ({ ...turn, state: "done" })) };
  const newest = conversation.turns.at(-1);
  if (newest) choose(conversation, newest);
  return conversation;
}

function byId(conversation) {
  return new Map(conversation.turns.map((turn) => [turn.id, turn]));
}

/** Makes a turn, and those before it, part of the shown path. */
export function choose(conversation, turn) {
  const turns = byId(conversation);
  for (let one = turn; one; one = turns.get(one.parent)) conversation.chosen.set(one.parent, one.id);
}

/** The turns with the same predecessor, in the order in which they were asked. */
export function alternatives(conversation, turn) {
  return conversation.turns.filter((one) => one.parent === turn.parent);
}

/** The shown path: at each fork the chosen turn, or else the newest. */
export function path(conversation) {
  const following = new Map();
  for (const turn of conversation.turns) {
    if (!following.has(turn.parent)) following.set(turn.parent, []);
    following.get(turn.parent).push(turn);
  }
  const shown = [];
  for (let parent = null; following.has(parent); parent = shown.at(-1).id) {
    const turns = following.get(parent);
    shown.push(turns.find((turn) => turn.id === conversation.chosen.get(parent)) ?? turns.at(-1));
  }
  return shown;
}

/** Gives a turn the id that the server knows it by. */
export function renameTurn(conversation, turn, id) {
  const old = turn.id;
  turn.id = id;
  for (const one of conversation.turns) if (one.parent === old) one.parent = id;
  if (conversation.chosen.get(turn.parent) === old) conversation.chosen.set(turn.parent, id);
}

/** The earlier turns for a server that stores none. */
export function historyBefore(conversation, parent) {
  const turns = byId(conversation);
  const history = [];
  for (let turn = turns.get(parent); turn; turn = turns.get(turn.parent)) {
    if (!turn.answer) continue;
    history.unshift({ role: "user", text: turn.question }, { role: "assistant", text: turn.answer.answer });
  }
  return history;
}
