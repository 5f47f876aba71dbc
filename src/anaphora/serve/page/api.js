// Requests to the server. Every error is a Problem with the server's own sentence.

const BASE = "/api/v1";
export const UNREACHABLE = 0;

/** An error: its HTTP status (0 when the server was not reached), a sentence, seconds to wait. */
export class Problem extends Error {
  constructor(status, detail, wait = null) {
    super(detail);
    this.status = status;
    this.wait = wait;
  }
}

const listeners = { signedOut: () => {}, reached: () => {} };

/** Tells the page when the session has ended, and whether the server is reached. */
export function watchRequests({ signedOut, reached }) {
  Object.assign(listeners, { signedOut, reached });
}

async function send(method, path, { body, signal, accept = "application/json" } = {}) {
  const headers = { Accept: accept };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path.startsWith("/") ? path : `${BASE}/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    listeners.reached(false);
    throw new Problem(UNREACHABLE, "");
  }
  listeners.reached(true);
  if (!response.ok) throw await problemOf(response, path);
  return response;
}

async function problemOf(response, path) {
  let detail = response.statusText;
  try {
    detail = (await response.json()).detail ?? detail;
  } catch {
    // A proxy's page, or nothing: the status says what there is to say.
  }
  if (response.status === 401 && path !== "session") listeners.signedOut();
  const wait = Number(response.headers.get("Retry-After"));
  return new Problem(response.status, detail, wait > 0 ? wait : null);
}

/** The JSON that a request returns; null where it returns nothing. */
export async function call(method, path, body, options = {}) {
  const response = await send(method, path, { body, ...options });
  if (response.status === 204) return null;
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/** The server-sent events of a request, as { event, data }. An event "error" is thrown. */
export async function* events(method, path, body, { signal } = {}) {
  const response = await send(method, path, { body, signal, accept: "text/event-stream" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let event = "message";
  let data = [];
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem(UNREACHABLE, "");
    }
    if (part.done) return;
    buffer += part.value;
    const lines = buffer.split(/\r\n|\n|\r(?!$)/);
    buffer = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (data.length) {
          const parsed = JSON.parse(data.join("\n"));
          if (event === "error") throw new Problem(parsed.status, parsed.detail, parsed.retry_after ?? null);
          yield { event, data: parsed };
        }
        event = "message";
        data = [];
      } else if (line.startsWith("event:")) event = line.slice(6).trim();
      else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
}

/** Sends files; `onprogress` is called with the fraction that was sent. */
export function sendFiles(path, files, replace, onprogress) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("replace", String(replace));
    for (const file of files) form.append("files", file, file.webkitRelativePath || file.name);
    const request = new XMLHttpRequest();
    request.open("POST", `${BASE}/${path}`);
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => event.lengthComputable && onprogress(event.loaded / event.total);
    request.onerror = () => reject(new Problem(UNREACHABLE, ""));
    request.onload = () => {
      let answer = {};
      try {
        answer = JSON.parse(request.responseText);
      } catch {
        // As above: no JSON, no sentence.
      }
      if (request.status < 300) resolve(answer);
      else reject(new Problem(request.status, answer.detail ?? request.statusText));
    };
    request.send(form);
  });
}

export const encode = encodeURIComponent;
