import { describe, expect, test } from '@jest/globals';
import { type SystemError } from '../errno.js';
import { Machine } from '../machine.js';
import { NO_NETWORK, type Network, type Remote } from '../network.js';
import { exit, waitToRead, YIELD, type Wait } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import { BOOT, logOf, program, programsOf, runCommand, startMachine } from '../testing.js';

/** Each function is a step with the numbers that the others have kept; a step that returns a Wait waits. */
type Step = (sys: Syscalls, kept: Record<string, number>) => Wait | void;
const steps = (...functions: Step[]) =>
  program<{ at: number; kept: Record<string, number> }>({
    start: () => ({ at: 0, kept: {} }),
    step(state, sys) {
      const wait = functions[state.at++]!(sys, state.kept);
      return wait ?? (state.at < functions.length ? YIELD : exit(0));
    },
  });

const print = (sys: Syscalls, value: unknown): void => void sys.write(1, `${JSON.stringify(value)}\n`);

function codeOf(call: () => unknown): string {
  try {
    call();
    return 'no error';
  } catch (error) {
    return (error as SystemError).code;
  }
}

const run = (...functions: Step[]): string[] =>
  runCommand({ main: steps(...functions) }, ['main'])
    .stdout.trimEnd()
    .split('\n');

describe('streams', () => {
  test('within a machine: bytes both ways, then the end of the file', () => {
    const lines = run(
      (sys, kept) => {
        kept.listener = sys.listen(8_080, { address: '127.0.0.1' });
        kept.client = sys.connect('127.0.0.1', 8_080);
        sys.write(kept.client, 'ping');
        const accepted = sys.accept(kept.listener)!;
        kept.server = accepted.descriptor;
        print(sys, [accepted.address, sys.peerName(kept.client), sys.connectError(kept.client)]);
      },
      (sys, kept) => {
        print(sys, [sys.read(kept.server!), sys.read(kept.server!)]);
        sys.write(kept.server!, 'pong');
        sys.shutdown(kept.server!);
        print(sys, [sys.read(kept.client!), sys.read(kept.client!)]);
        print(
          sys,
          codeOf(() => (sys.handleSignal('PIPE', 'ignore'), sys.write(kept.server!, 'x'))),
        );
      },
    );
    expect(lines).toEqual([
      '["127.0.0.1",{"address":"127.0.0.1","port":8080},null]',
      '["ping",null]',
      '["pong",""]',
      '"EPIPE"',
    ]);
  });

  test('a closed peer with unread data resets the connection', () => {
    const lines = run((sys) => {
      const listener = sys.listen(80);
      const client = sys.connect('127.0.0.1', 80);
      sys.write(client, 'unread');
      sys.close(sys.accept(listener)!.descriptor);
      print(
        sys,
        codeOf(() => sys.read(client)),
      );
    });
    expect(lines).toEqual(['"ECONNRESET"']);
  });

  test('a buffer that is full blocks', () => {
    const lines = run((sys) => {
      const listener = sys.listen(80);
      const client = sys.connect('127.0.0.1', 80);
      const server = sys.accept(listener)!.descriptor;
      const taken = [sys.write(client, 'x'.repeat(300_000)), sys.write(client, 'y')];
      sys.read(server, 1_000);
      print(sys, [...taken, sys.write(client, 'y'.repeat(2_000))]);
    });
    expect(lines).toEqual(['[262144,0,1000]']);
  });

  test.each<[string, (sys: Syscalls) => unknown, string]>([
    ['a port that is taken', (sys) => [sys.listen(80), sys.listen(80)], 'EADDRINUSE'],
    ['another address of a port', (sys) => [sys.listen(80, { address: '127.0.0.1' }), sys.listen(80)], 'EADDRINUSE'],
    ['another protocol of a port', (sys) => [sys.listen(80), sys.listen(80, { protocol: 'udp' })], 'no error'],
    ['an address of others', (sys) => sys.listen(80, { address: '10.9.9.9' }), 'EADDRNOTAVAIL'],
    ['a port that is none', (sys) => sys.listen(70_000), 'EINVAL'],
    ['accept of a file', (sys) => sys.accept(0), 'EINVAL'],
    ['read of a listener', (sys) => sys.read(sys.listen(80)), 'ENOTCONN'],
  ])('%s', (_, call, code) => {
    expect(
      run((sys) =>
        print(
          sys,
          codeOf(() => call(sys)),
        ),
      ),
    ).toEqual([`"${code}"`]);
  });

  test.each([
    ['127.0.0.1', 81, '"ECONNREFUSED"'],
    ['10.1.2.3', 80, '"ENETUNREACH"'],
  ])('to %s:%i', (address, port, error) => {
    expect(run((sys) => print(sys, sys.connectError(sys.connect(address, port))))).toEqual([error]);
  });
});

test('datagrams keep their bounds, and are answered', () => {
  const lines = run(
    (sys, kept) => {
      kept.listener = sys.listen(53, { protocol: 'udp' });
      kept.client = sys.connect('127.0.0.1', 53, 'udp');
      sys.write(kept.client, 'one');
      sys.write(kept.client, 'two');
      return waitToRead(kept.listener);
    },
    (sys, kept) => {
      const server = sys.accept(kept.listener!)!.descriptor;
      print(sys, [sys.read(server), sys.read(server, 2), sys.read(server)]);
      sys.write(server, 'answer');
      print(sys, sys.read(kept.client!));
    },
  );
  expect(lines).toEqual(['["one","tw",null]', '"answer"']);
});

test('what ss shows', () => {
  const lines = run((sys) => {
    sys.listen(80);
    sys.listen(53, { protocol: 'udp', address: '127.0.0.1' });
    sys.connect('127.0.0.1', 80);
    for (const { protocol, state, localAddress, localPort, pid, program: name } of sys.sockets()) {
      print(sys, [protocol, state, `${localAddress}:${localPort}`, pid, name]);
    }
  });
  expect(lines).toEqual([
    '["tcp","LISTEN","0.0.0.0:80",1,"main"]',
    '["udp","UNCONN","127.0.0.1:53",1,"main"]',
    '["tcp","ESTABLISHED","127.0.0.1:32768",1,"main"]',
    '["tcp","ESTABLISHED","127.0.0.1:80",1,"main"]',
  ]);
});

test('a daemon: the socket is its own when the process that made it has ended', () => {
  const daemon = program<{ listener: number; isChild: boolean }>({
    start: (_, sys) => ({ listener: sys.listen(80), isChild: false }),
    step(state, sys) {
      if (state.isChild) return waitToRead(state.listener);
      sys.fork({ ...state, isChild: true });
      return exit(0);
    },
  });
  const main = program<null>({
    start: (_, sys) => (sys.spawn({ path: '/bin/daemon', argv: ['daemon'] }), null),
    step: () => ({ type: 'wait' }),
  });
  const { machine } = startMachine({ daemon, main }, ['main']);
  machine.run(BOOT);
  expect(machine.container('c1').listening).toEqual([{ port: 80, protocol: 'tcp', since: BOOT }]);
});

describe('a host that is no machine', () => {
  /** Answers each line by its length, and closes after "bye". */
  const remote: Remote = {
    answer(received, now) {
      if (!received.endsWith('\n')) return { send: '', close: false };
      return { send: `${received.length} at ${now - BOOT}\n`, close: received === 'bye\n' };
    },
  };
  const network: Network = { ...NO_NETWORK, connect: () => ({ remote }) };
  const talk = steps(
    (sys, kept) => {
      kept.socket = sys.connect('10.96.0.1', 443);
      sys.write(kept.socket, 'hel');
      print(sys, sys.read(kept.socket) ?? 'nothing yet');
      sys.write(kept.socket, 'lo\n');
      print(sys, sys.read(kept.socket));
      return { type: 'wait', until: BOOT + 1_000 };
    },
    (sys, kept) => {
      sys.write(kept.socket!, 'bye\n');
      print(sys, [sys.read(kept.socket!), sys.read(kept.socket!)]);
    },
  );
  const LINES = '"nothing yet"\n"6 at 0\\n"\n["4 at 1000\\n",""]\n';

  test('answers bytes by bytes', () => {
    expect(runCommand({ talk }, ['talk'], {}, { network }).stdout).toBe(LINES);
  });

  test('is found again by a machine that was written down', () => {
    const { machine, spec } = startMachine({ talk }, ['talk'], {}, { network });
    machine.run(BOOT + 500);
    const options = { id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf({ talk }), network };
    const again = new Machine({ ...options, findTree: () => spec.root }, JSON.parse(JSON.stringify(machine.save())));
    again.run(BOOT + 2_000);
    expect(logOf(again, 'stdout')).toBe(LINES);
  });
});

describe('a host that takes its time', () => {
  /** Asked again every 100 ms, it answers after 250 ms. */
  const remote: Remote = {
    answer: (received, now, since) =>
      now < since + 250
        ? { send: '', close: false, askAgainAt: Math.min(now + 100, since + 250) }
        : { send: `${received} after ${now - since}\n`, close: false },
  };
  const network: Network = { ...NO_NETWORK, connect: () => ({ remote }) };
  const ask = steps(
    (sys, kept) => {
      kept.socket = sys.connect('10.96.0.1', 443);
      sys.write(kept.socket, 'first');
      return { type: 'wait', readable: [kept.socket] };
    },
    (sys, kept) => {
      print(sys, sys.read(kept.socket!));
      sys.write(kept.socket!, 'second');
      return { type: 'wait', readable: [kept.socket!] };
    },
    (sys, kept) => print(sys, sys.read(kept.socket!)),
  );
  const LINES = '"first after 250\\n"\n"second after 250\\n"\n';

  test('is asked again until it answers', () => {
    const { machine } = startMachine({ ask }, ['ask'], {}, { network });
    machine.run(BOOT + 499);
    expect(logOf(machine, 'stdout')).toBe('"first after 250\\n"\n');
    machine.run(BOOT + 500);
    expect(logOf(machine, 'stdout')).toBe(LINES);
  });

  test.each([50, 100, 350])('is asked again by a machine that was written down after %i ms', (at) => {
    const { machine, spec } = startMachine({ ask }, ['ask'], {}, { network });
    machine.run(BOOT + at);
    const options = { id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf({ ask }), network };
    const again = new Machine({ ...options, findTree: () => spec.root }, JSON.parse(JSON.stringify(machine.save())));
    again.run(BOOT + 500);
    expect(logOf(again, 'stdout')).toBe(LINES);
  });
});

test('rules of the namespace lead connections to a program of it, but not those of its own user', () => {
  const network: Network = {
    ...NO_NETWORK,
    redirects: () => ({
      outbound: (_address, port, user) => (user === 1_337 || port === 81 ? undefined : 15_001),
      inbound: () => undefined,
    }),
  };
  const talk = steps((sys, kept) => {
    kept.listener = sys.listen(15_001);
    const client = sys.connect('10.96.0.9', 80);
    const taken = sys.accept(kept.listener)!;
    print(sys, [taken.original, sys.socketName(taken.descriptor), sys.peerName(client)]);
    print(sys, sys.connectError(sys.connect('10.96.0.9', 81)));
    sys.setUser(1_337, 1_337);
    print(sys, sys.connectError(sys.connect('10.96.0.9', 80)));
  });
  expect(runCommand({ talk }, ['talk'], {}, { network }).stdout.trimEnd().split('\n')).toEqual([
    '[{"address":"10.96.0.9","port":80},{"address":"127.0.0.1","port":15001},{"address":"10.96.0.9","port":80}]',
    '"ENETUNREACH"',
    '"ENETUNREACH"',
  ]);
});
