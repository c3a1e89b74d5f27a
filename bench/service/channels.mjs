// Sessions of containers over WebSocket: the first byte of a message is its channel.
import WebSocket from 'ws';

const [STDIN, STDOUT, STDERR, STATUS] = [0, 1, 2, 3];
const DEADLINE_MS = 30_000;

/**
 * Opens a session of the Kubernetes API. Resolves, when the socket is open, with the socket; `on(channel, bytes)` gets
 * what comes.
 */
function open({ port, key }, path, protocol, on) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [protocol], {
    headers: { authorization: `Bearer ${key}` },
    perMessageDeflate: false,
  });
  socket.on('message', (message) => on(message[0], message.subarray(1)));
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket));
    socket.on('error', reject);
  });
}

const send = (socket, channel, bytes) => socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(bytes)]));

/** `kubectl exec`: runs a command to its end. Resolves with its output; rejects when it fails. */
export function execute(service, pod, command) {
  const query = command.map((word) => `command=${encodeURIComponent(word)}`).join('&');
  let output = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`exec ${command.join(' ')}: no end`)), DEADLINE_MS);
    const end = (status) => {
      clearTimeout(timer);
      if (status.status === 'Success') resolve(output);
      else reject(new Error(`exec ${command.join(' ')}: ${status.message} ${output}`));
    };
    open(service, `${pod}/exec?${query}&stdout=true&stderr=true`, 'v5.channel.k8s.io', (channel, bytes) => {
      if (channel === STDOUT || channel === STDERR) output += bytes;
      if (channel === STATUS) end(JSON.parse(bytes));
    }).catch(reject);
  });
}

/** A shell on a terminal. Resolves with `type(line, mark)`, which resolves when `mark` is printed, and `close`. */
export async function openShell(service, pod) {
  let [printed, waiting] = ['', undefined];
  const socket = await open(
    service,
    `${pod}/exec?command=sh&stdin=true&stdout=true&tty=true`,
    'v5.channel.k8s.io',
    (channel, bytes) => {
      if (channel !== STDOUT) return;
      printed += bytes;
      if (!waiting || !printed.includes(waiting.mark)) return;
      printed = '';
      waiting.resolve();
    },
  );
  const type = (line, mark) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the shell did not print ${mark}: ${printed}`)), DEADLINE_MS);
      waiting = { mark, resolve: () => resolve(clearTimeout(timer)) };
      send(socket, STDIN, `${line}\n`);
    });
  return { type, close: () => socket.close() };
}

/**
 * `kubectl port-forward` of one port. Resolves with `request(text, bytes)`, which sends a text and resolves when at
 * least so many bytes have come back, and `close`.
 */
export async function forward(service, pod, port) {
  let [missing, done, greetings] = [0, undefined, 2];
  const socket = await open(service, `${pod}/portforward?ports=${port}`, 'v4.channel.k8s.io', (channel, bytes) => {
    // The first message of each channel holds the number of the port.
    if (greetings > 0) return greetings--;
    if (channel === 1) throw new Error(`port-forward: ${bytes}`);
    missing -= bytes.length;
    if (missing <= 0) done?.();
  });
  const request = (text, bytes) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`port-forward: ${missing} bytes are missing`)), DEADLINE_MS);
      missing = bytes;
      done = () => resolve(clearTimeout(timer));
      send(socket, 0, text);
    });
  return { request, close: () => socket.close() };
}
