// The kernel on three runtimes against deno jupyter, tslab's own kernel, ipykernel (Debian's
// python3-ipykernel, where present) and a bare kernel that does nothing but evaluate, all through one
// client over libzmq.
//
//   node test/bench/kernel.mjs [--quick]
//
// Contenders take turns, so that a drift of the machine's speed meets all of them alike. Times are
// milliseconds from sending a request to its reply, and medians unless it says otherwise.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { startUsersServer } from "./process.mjs";

// A hundred certificates that a machine adds to Node's cost each start of Node some 30 ms.
delete process.env["NODE_EXTRA_CA_CERTS"];
const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const quick = process.argv.includes("--quick");
const ROUNDS = quick
  ? { start: 2, first: 1, small: 20, request: 20, declarations: 300, help: 5, queued: 200 }
  : { start: 9, first: 5, small: 200, request: 100, declarations: 1000, help: 20, queued: 1000 };
const WINDOW = 50;
/** The cells after which memory is measured, and after which completion and inspection are. */
const [FEW, SOME] = [100, 300];
/** A kernel at rest has done what it does without being asked, in milliseconds. */
const REST = 2500;
/** What a person takes to write a first cell, at the least. */
const IDLE = 2000;

const { startKernel, RUNTIMES, FOREIGN_COMMANDS, CONNECTION_FILE } = await loadTestClient();
const PYTHON = "/usr/bin/python3";
const contenders = {
  "restlab, node": { command: RUNTIMES.node, isOurs: true },
  "restlab, deno": { command: RUNTIMES.deno, isOurs: true },
  "restlab, bun": { command: RUNTIMES.bun, isOurs: true },
  "deno jupyter": { command: FOREIGN_COMMANDS.deno },
  tslab: { command: FOREIGN_COMMANDS.tslab },
  "bare, node": {
    command: [process.execPath, join(here, "bare-kernel.mjs"), CONNECTION_FILE],
    isBare: true,
  },
  ...(spawnSync(PYTHON, ["-c", "import ipykernel"]).status === 0 && {
    ipykernel: {
      command: [PYTHON, "-m", "ipykernel_launcher", "-f", CONNECTION_FILE],
      isPython: true,
    },
  }),
};
const names = Object.keys(contenders);
const BARE = "bare, node";
const CELL = { silent: false, store_history: true, user_expressions: {}, stop_on_error: true };
const rows = [];

const server = await startUsersServer();
try {
  const url = `${server.base}/users/1`;
  await measureStarts();
  await measureFirst("first TypeScript cell", typed);
  await measureFirst("first TypeScript cell", typed, { idle: IDLE });
  await measureFirst("first request cell", (it) => (it.isOurs ? `GET ${url}` : undefined));
  await measureRunning(url);
} finally {
  server.stop();
  print();
}

/** The client of the tests is TypeScript, which the oldest Node of ours does not read. */
async function loadTestClient() {
  const bundle = await rolldown({
    input: join(root, "test/jupyter/kernel-process.ts"),
    platform: "node",
    external: ["zeromq"],
  });
  // Two folders below the root, as the sources are: they find the commands from there.
  const file = join(root, "node_modules/.restlab-bench/kernel-process.mjs");
  await bundle.write({ file });
  return import(file);
}

function typed({ isPython, isBare }) {
  return isPython || isBare ? "1 + 1" : "const a: number = 1 + 1; a";
}

/** tslab answers nothing after one of some forty starts; then it is started again. */
async function start({ command, isOurs }) {
  const options = { command, isForeign: true };
  const started = startKernel("node", options);
  return isOurs ? started : started.catch(() => startKernel("node", options));
}

async function measureStarts() {
  const times = eachName(() => []);
  const memory = eachName(() => []);
  for (let round = 0; round <= ROUNDS.start; round++) {
    for (const name of names) {
      const kernel = await start(contenders[name]);
      const reply = kernel.client.received.find(
        ({ header }) => header.msg_type === "kernel_info_reply",
      );
      // The first round warms the disk's cache.
      if (round > 0) times[name].push(reply.at - kernel.startedAt);
      if (round === ROUNDS.start) {
        await wait(REST);
        memory[name].push(residentMegabytes(kernel.child.pid));
      }
      await kernel.dispose();
    }
  }
  row(`spawn to kernel_info reply (n=${ROUNDS.start})`, times);
  row("memory at rest after start, MB", memory);
}

/** A cell that is the first one of its kernel. */
async function measureFirst(title, codeOf, { idle = 0 } = {}) {
  const times = eachName(() => []);
  const whole = eachName(() => []);
  const memory = eachName(() => []);
  for (let round = 0; round < ROUNDS.first; round++) {
    for (const name of names) {
      const code = codeOf(contenders[name]);
      if (code === undefined) continue;
      const kernel = await start(contenders[name]);
      if (idle > 0) await wait(idle);
      const end = await timeCell(kernel.client, code);
      times[name].push(end.took);
      whole[name].push(end.at - kernel.startedAt);
      memory[name].push(residentMegabytes(kernel.child.pid));
      await kernel.dispose();
    }
  }
  const when = idle > 0 ? `after ${idle} ms` : "right after start";
  row(`${title}, ${when} (n=${ROUNDS.first})`, times);
  if (idle === 0) row("  the same from spawn on", whole);
  row("  memory then, MB", memory);
}

async function measureRunning(url) {
  const kernels = {};
  try {
    for (const name of names) kernels[name] = await start(contenders[name]);
    const all = (action) => inTurn((name) => action(kernels[name].client, contenders[name]));
    await all((client) => timeCell(client, "0"));

    const small = await rounds(ROUNDS.small, () => all((client) => timeCell(client, "1 + 1")));
    row(`1+1 (n=${ROUNDS.small})`, took(small));
    row("  times the bare kernel", ratios(took(small)));

    const bare = await all(async (client, { isPython, isBare }) =>
      isPython || isBare ? [] : bareTimes(client, url, ROUNDS.request),
    );
    row("bare fetch inside a cell, warm", bare);
    const fetches = await rounds(ROUNDS.request, () =>
      all((client, { isPython }) =>
        isPython
          ? undefined
          : timeCell(client, `await fetch("${url}").then((answer) => answer.json())`),
      ),
    );
    row("cell with a bare fetch", took(fetches));
    const bareCell = took(fetches)[BARE];
    const requests = await rounds(ROUNDS.request, () =>
      all((client, { isOurs }) => (isOurs ? timeCell(client, `GET ${url}`) : undefined)),
    );
    row("request cell", took(requests));
    row("  times the bare kernel's cell with a fetch", ratios(took(requests), bareCell));
    row("  more than the bare fetch inside", minus(took(requests), bare));

    const memory = () =>
      all((_client, contender) => [
        residentMegabytes(kernels[names.find((it) => contenders[it] === contender)].child.pid),
      ]);
    const early = eachName(() => []);
    const late = eachName(() => []);
    for (let index = 0; index < ROUNDS.declarations; index++) {
      const ends = await all((client, { isPython }) => {
        const declares = isPython
          ? `v${index} = {"a": ${index}};`
          : `const v${index} = { a: ${index} };`;
        return timeCell(client, `${declares} v${index}${isPython ? '["a"]' : ".a"}`);
      });
      for (const name of names) {
        if (index < WINDOW) early[name].push(ends[name].took);
        if (index >= ROUNDS.declarations - WINDOW) late[name].push(ends[name].took);
      }
      if (index + 1 === FEW) row(`memory after ${FEW} cells that declare, MB`, await memory());
      if (index + 1 === SOME) await measureHelp(all);
    }
    row(`a cell that declares: first ${WINDOW} of ${ROUNDS.declarations}`, early);
    row(`  last ${WINDOW}`, late);
    row("  memory then, MB", await memory());

    const lost = {};
    const queued = await all(async (client, contender) => {
      const { time, replies } = await timeQueue(client, ROUNDS.queued);
      const name = names.find((it) => contenders[it] === contender);
      if (replies < ROUNDS.queued) lost[name] = ROUNDS.queued - replies;
      return [time];
    });
    row(`${ROUNDS.queued} queued cells, all`, queued);
    row(
      "  replies that never came",
      eachName((name) => [lost[name] ?? 0]),
    );
    for (const [title, lines, length] of [
      ["10,000 lines of output, all", 10_000, 5],
      ["10 MB of output in 1,000 lines, all", 1000, 10_000],
    ]) {
      const printed = await rounds(quick ? 1 : 5, () =>
        all((client, { isPython, isBare }) => {
          if (isBare) return undefined;
          const code = isPython
            ? `for i in range(${lines}): print('x' * ${length})`
            : `for (let i = 0; i < ${lines}; i++) console.log('x'.repeat(${length}))`;
          // tslab drops what its socket does not take at once, the idle at the end among it.
          const end = timeCell(client, code, { toIdle: true });
          return end.catch(() => ({ took: Number.POSITIVE_INFINITY }));
        }),
      );
      row(title, took(printed));
    }
    row("memory after all that, MB", await memory());
  } finally {
    for (const kernel of Object.values(kernels)) await kernel.dispose();
  }
}

/** Completion and inspection of what a cell has declared, and of the client, the first by itself. */
async function measureHelp(all) {
  for (const [title, type, codes] of [
    ["completion", "complete_request", { 0: "v7.", 1: "client.se" }],
    ["inspection", "inspect_request", { 0: "v7", 1: "client.send" }],
  ]) {
    const ask = (turn) =>
      all(async (client, { isOurs, isBare }) => {
        if (isBare) return undefined;
        const code = codes[isOurs ? turn % 2 : 0];
        client.received.length = 0;
        const sent = performance.now();
        const content = { code, cursor_pos: code.length, detail_level: 0 };
        const id = await client.send("shell", type, content);
        const isReply = ({ header, parent }) =>
          parent.msg_id === id && header.msg_type === type.replace("request", "reply");
        return { took: (await client.wait(isReply, `the ${title}`)).at - sent };
      });
    row(`${title} in a session of ${SOME} cells, the first`, took([await ask(0)]));
    const later = [];
    for (let turn = 1; turn <= ROUNDS.help; turn++) later.push(await ask(turn));
    row("  later", took(later));
  }
}

/** Milliseconds from sending to the reply, or to the idle behind all output. */
async function timeCell(client, code, { toIdle = false } = {}) {
  // The client keeps all that it has received, and looks through it.
  client.received.length = 0;
  const sent = performance.now();
  const id = await client.send("shell", "execute_request", { ...CELL, code });
  const isEnd = toIdle
    ? ({ content }) => content.execution_state === "idle"
    : ({ header }) => header.msg_type === "execute_reply";
  // Not both: tslab loses one of them now and then, as its sockets are busy with the other.
  const end = await client.wait((it) => it.parent.msg_id === id && isEnd(it), "the end of a cell");
  if (end.content.status === "error") {
    throw new Error(`Running "${code}" failed: ${JSON.stringify(end.content)}`);
  }
  return { took: end.at - sent, at: end.at };
}

/** Until the last reply; kernels that lose replies are waited for until nothing more comes. */
async function timeQueue(client, count) {
  client.received.length = 0;
  const sent = performance.now();
  const ids = new Set();
  for (let index = 0; index < count; index++) {
    ids.add(await client.send("shell", "execute_request", { ...CELL, code: `${index}` }));
  }
  const replies = () =>
    client.received.filter(
      ({ header, parent }) => header.msg_type === "execute_reply" && ids.has(parent.msg_id),
    );
  let seen = -1;
  while (replies().length < count && seen < client.received.length) {
    seen = client.received.length;
    for (let step = 0; step < 50 && replies().length < count; step++) await wait(100);
  }
  return { time: (replies().at(-1)?.at ?? sent) - sent, replies: replies().length };
}

/** How long a fetch takes by itself, told by the cell that does it. */
async function bareTimes(client, url, count) {
  const code = `
    const times: number[] = [];
    for (let i = 0; i < ${count + 5}; i++) {
      const start = performance.now();
      // tslab does not see an await of an await.
      await fetch("${url}").then((answer) => answer.json());
      times.push(performance.now() - start);
    }
    console.log("[" + times.slice(5).join() + "]");`;
  client.received.length = 0;
  const { published } = await client.execute(code);
  const text = published.map(({ content }) => content.text ?? "").join("");
  const [list] = /\[[\d.,e-]+\]/.exec(text) ?? [];
  if (list === undefined) throw new Error(`Reading the times failed: ${JSON.stringify(published)}`);
  return JSON.parse(list);
}

/** Resident memory of a process; its threads are part of it, and none of these has children. */
function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s*(\d+)/.exec(status)[1]) / 1024;
}

async function inTurn(action) {
  const results = {};
  for (const name of names) {
    try {
      results[name] = await action(name);
    } catch (error) {
      throw new Error(`Measuring ${name} failed: ${error.message}`, { cause: error });
    }
  }
  return results;
}

async function rounds(count, action) {
  const results = [];
  for (let round = 0; round < count; round++) results.push(await action());
  return results;
}

function took(results) {
  return eachName((name) => results.map((it) => it[name]?.took).filter((it) => it !== undefined));
}

function minus(left, right) {
  return eachName((name) =>
    left[name].length === 0 ? [] : [median(left[name]) - median(right[name])],
  );
}

function ratios(figures, base = figures[BARE]) {
  return eachName((name) =>
    figures[name].length === 0 ? [] : [median(figures[name]) / median(base)],
  );
}

function eachName(make) {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
}

function row(title, figures) {
  rows.push([title, ...names.map((name) => format(figures[name]))]);
  if (process.stderr.isTTY) process.stderr.write(`  ${title}\n`);
}

function format(list) {
  if (list.length === 0) return "-";
  const value = median(list);
  if (value === Number.POSITIVE_INFINITY) return "lost";
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value < 20 ? 2 : 0);
}

function print() {
  const load = readFileSync("/proc/loadavg", "utf8").split(" ")[0];
  console.log(`node ${process.version}, load ${load}, milliseconds, medians`);
  const head = ["", ...names];
  for (const [title, ...cells] of [head, ...rows]) {
    console.log(title.padEnd(48) + cells.map((it) => it.padStart(15)).join(""));
  }
}
