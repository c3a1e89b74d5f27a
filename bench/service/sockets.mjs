// Watchers on bare sockets: 500 of them share the machine with what they measure, so they parse nothing but the marks.
import crypto from 'node:crypto';
import net from 'node:net';

const TEXT_FRAME = 0x81;
const MASKED = 0x80;
const LENGTH_IN_16_BITS = 126;
const CLOSED = (why) => new Error(`the stream ended: ${why}`);

/** Opens a socket, sends `head`, and hands every chunk, as text, to `read`. */
function open(port, head, read) {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1');
  socket.on('data', read);
  socket.on('error', () => undefined);
  socket.write(head);
  return socket;
}

/** Calls `arrived(i)` for every '@i@' in a stream whose chunks may end anywhere. */
function marks(arrived) {
  let rest = '';
  return (chunk) => {
    const text = rest + chunk;
    let end = 0;
    for (const found of text.matchAll(/@(\d+)@/g)) {
      arrived(Number(found[1]));
      end = found.index + found[0].length;
    }
    const open = text.lastIndexOf('@');
    rest = open >= end && text.length - open < 16 ? text.slice(open) : '';
  };
}

/** A watch of the Kubernetes API. Resolves, when it is answered, with a function that ends it. */
export function watch({ port, key }, path, arrived) {
  const read = marks(arrived);
  return new Promise((resolve, reject) => {
    let status;
    const socket = open(
      port,
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`,
      (chunk) => {
        if (status) return read(chunk);
        status = chunk.slice(9, 12);
        if (status !== '200') return reject(CLOSED(chunk.split('\r\n')[0]));
        resolve(() => socket.destroy());
      },
    );
    socket.on('close', () => reject(CLOSED('closed')));
  });
}

/** A client's text frame (RFC 6455, 5.2): masked, of at most 65,535 bytes. */
function frame(message) {
  const body = Buffer.from(JSON.stringify(message));
  const mask = crypto.randomBytes(4);
  const head =
    body.length < LENGTH_IN_16_BITS
      ? [TEXT_FRAME, MASKED | body.length]
      : [TEXT_FRAME, MASKED | LENGTH_IN_16_BITS, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from(head), mask, body.map((byte, i) => byte ^ mask[i % 4])]);
}

/** A GraphQL subscription by graphql-ws. Resolves, when the subscription is sent, with a function that ends it. */
export function subscription({ port, key }, payload, arrived) {
  const read = marks(arrived);
  const upgrade = [
    'GET /graphql HTTP/1.1',
    'host: 127.0.0.1',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${crypto.randomBytes(16).toString('base64')}`,
    'sec-websocket-protocol: graphql-transport-ws',
  ];
  return new Promise((resolve, reject) => {
    let state = 'opening';
    const socket = open(port, `${upgrade.join('\r\n')}\r\n\r\n`, (chunk) => {
      if (state === 'running') return chunk.includes('"type":"error"') ? reject(CLOSED(chunk)) : read(chunk);
      if (state === 'opening') {
        if (!chunk.startsWith('HTTP/1.1 101')) return reject(CLOSED(chunk.split('\r\n')[0]));
        state = 'greeting';
        socket.write(frame({ type: 'connection_init', payload: { apiKey: key } }));
      }
      if (!chunk.includes('"connection_ack"')) return;
      state = 'running';
      socket.write(frame({ id: '1', type: 'subscribe', payload }));
      resolve(() => socket.destroy());
    });
    socket.on('close', () => reject(CLOSED('closed')));
  });
}
