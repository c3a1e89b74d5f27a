import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { sleepUntil, waitToRead, waitToWrite, type Wait } from '../../../../engine/kernel/process/program.js';
import { quote } from '../../go.js';
import { lookUp } from '../../lookup.js';
import { defineJob, type Command, type Job } from '../command/command.js';

const CLOSE_DELAY_MS = 500;

type State = {
  listener: number | null;
  descriptor: number | null;
  received: Bytes;
  isReceived: boolean;
  sent: number;
  unsent: Bytes;
  /** When the next chunk, or the end, is due. */
  until: number;
  isShutDown: boolean;
};

/**
 * Accepts one connection, checks what it sends, and sends it chunks. Models
 * test/images/agnhost/port-forward-tester.
 */
export const portForwardTester: Command = {
  flags: {},
  program: defineJob<State>(
    () => ({
      ...{ listener: null, descriptor: null, received: '', isReceived: false, sent: 0, unsent: '', until: 0 },
      isShutDown: false,
    }),
    (job) => listen(job) ?? accept(job) ?? receive(job) ?? send(job),
  ),
};

function listen({ sys, own, out }: Job<State>): number | undefined {
  if (own.listener !== null) return undefined;
  const host = sys.env['BIND_ADDRESS'] || 'localhost';
  const [address] = lookUp(sys, host).addresses;
  if (address === undefined) {
    out(`Error resolving: lookup ${host}: no such host\n`);
    return 1;
  }
  try {
    own.listener = sys.listen(Number(sys.env['BIND_PORT'] ?? 0), { address });
    return undefined;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    out(`Error listening: listen tcp ${address}:${sys.env['BIND_PORT']}: bind: ${error.message.toLowerCase()}\n`);
    return 1;
  }
}

function accept({ sys, own, out }: Job<State>): Wait | undefined {
  if (own.descriptor !== null) return undefined;
  const accepted = sys.accept(own.listener!);
  if (accepted === undefined) return waitToRead(own.listener!);
  own.descriptor = accepted.descriptor;
  out('Accepted client connection\n');
  return undefined;
}

function receive({ sys, own, out }: Job<State>): number | Wait | undefined {
  const expected = sys.env['EXPECTED_CLIENT_DATA'] ?? '';
  if (own.isReceived || expected === '') return undefined;
  const bytes = sys.read(own.descriptor!, expected.length);
  if (bytes === undefined) return waitToRead(own.descriptor!);
  if (bytes.length !== expected.length) {
    const error = bytes === '' ? 'EOF' : '<nil>';
    out(`Expected to read ${expected.length} bytes from client, but got ${bytes.length} instead. err=${error}\n`);
    return 2;
  }
  if (bytes !== expected) {
    out(`Expect to read ${quote(expected)}, but got ${quote(bytes)}. err=<nil>\n`);
    return 3;
  }
  own.isReceived = true;
  out('Received expected client data\n');
  return undefined;
}

function send(job: Job<State>): number | Wait {
  const { sys, own, out } = job;
  const numbers = ['CHUNKS', 'CHUNK_SIZE', 'CHUNK_INTERVAL'].map((name) => readNumber(job, name));
  if (numbers.includes(undefined)) return 1;
  const [chunks, size, interval] = numbers as [number, number, number];
  if (own.unsent !== '') {
    own.unsent = own.unsent.slice(sys.write(own.descriptor!, own.unsent));
    if (own.unsent !== '') return waitToWrite(own.descriptor!);
  }
  if (sys.now < own.until) return sleepUntil(own.until);
  if (own.sent < chunks) {
    own.sent++;
    own.unsent = 'x'.repeat(size);
    own.until = own.sent < chunks ? sys.now + interval : sys.now;
    return { type: 'yield' };
  }
  if (!own.isShutDown) {
    out('Shutting down connection\n');
    sys.shutdown(own.descriptor!);
    own.isShutDown = true;
    own.until = sys.now + CLOSE_DELAY_MS;
    return sleepUntil(own.until);
  }
  sys.close(own.descriptor!);
  out('Done\n');
  return 0;
}

function readNumber({ sys, out }: Job<State>, name: string): number | undefined {
  const text = sys.env[name] ?? '';
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  out(`Error parsing ${name} ${quote(text)}: strconv.Atoi: parsing ${quote(text)}: invalid syntax\n`);
  return undefined;
}
