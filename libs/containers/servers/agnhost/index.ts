import { exit, type Plain, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { goStress } from '../apps/stress.js';
import { connect } from './network/connect.js';
import { defineJob, type Command } from './command/command.js';
import { FlagFailure, Flags } from './command/flags.js';
import { auditProxy, fakeGitServer, grpcHealthChecking, httpEcho, noSnatTest } from './servers/http-servers.js';
import { inClusterClient } from './cluster/in-cluster.js';
import { issuerDiscovery } from './cluster/issuer-discovery.js';
import { mounttest } from './print/mounttest.js';
import { netexec } from './netexec/netexec.js';
import { nettest } from './cluster/nettest.js';
import { noSnatTestProxy } from './network/no-snat-test-proxy.js';
import { resourceConsumerController } from './servers/resource-consumer-controller.js';
import { nnp } from './print/nnp.js';
import { guestbook } from './servers/guestbook.js';
import { portForwardTester } from './network/port-forward-tester.js';
import { dnsServerList, dnsSuffix, entrypointTester, etcHosts, logsGenerator } from './print/print.js';
import { resourceConsumer } from './servers/resource-consumer.js';
import { liveness, pause, porter, serveHostname, tcpReset, testWebserver } from './servers/simple-servers.js';

/** github.com/vishh/stress, of which agnhost has a copy. */
const stress: Command = {
  flags: {
    'mem-total': ['string', '0'],
    'mem-alloc-size': ['string', '4Ki'],
    'mem-alloc-sleep': ['duration', '1ms'],
    cpus: ['int', '0'],
  },
  program: goStress,
};

/** The sub-commands that run on the kernel. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'audit-proxy': auditProxy,
  connect,
  'dns-suffix': dnsSuffix,
  'dns-server-list': dnsServerList,
  'entrypoint-tester': entrypointTester,
  'etc-hosts': etcHosts,
  'fake-gitserver': fakeGitServer,
  'grpc-health-checking': grpcHealthChecking,
  guestbook,
  'http-echo': httpEcho,
  inclusterclient: inClusterClient,
  liveness,
  'logs-generator': logsGenerator,
  mounttest,
  netexec,
  nettest,
  nonewprivs: { flags: {}, program: nnp },
  'no-snat-test': noSnatTest,
  'no-snat-test-proxy': noSnatTestProxy,
  pause,
  porter,
  'port-forward-tester': portForwardTester,
  'resource-consumer': resourceConsumer,
  'resource-consumer-controller': resourceConsumerController,
  'serve-hostname': serveHostname,
  stress,
  'tcp-reset': tcpReset,
  'test-service-account-issuer-discovery': issuerDiscovery,
  'test-webserver': testWebserver,
};

/** Those of upstream that this program does not have. */
const MISSING = [
  ...['crd-conversion-webhook', 'external-metrics', 'fake-metrics-server', 'fake-registry-server', 'h2c-server'],
  ...['mtlsclient', 'mtlsserver', 'net', 'podcertificatesigner', 'webhook'],
];

type State = { command: string; inner: Plain };

/** Go's runtime ends a process that is PID 1, which no signal ends by itself, with this code. */
const GO_ENDED = 2;
const GO_SIGNALS = ['TERM', 'INT', 'HUP'] as const;

const nothing = (): null => null;

const usage = (name: string): string => `Usage:\n  app ${name} [flags]\n\n`;

/** cobra's words; its failures end with 0, since agnhost's main() drops them. */
const refuse = (message: string, code = 0): Program =>
  defineJob(nothing, (job) => {
    job.err(message);
    return code;
  });

function find(argv: readonly string[]): Program {
  const name = argv[1] ?? '';
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return refuseUnknown(name);
  try {
    const { operands } = new Flags(command.flags, argv.slice(2));
    const allowed = command.operands ?? 0;
    if (allowed === 'any' || operands.length === allowed) return command.program;
    const rule = allowed === 0 ? `unknown command "${operands[0]}" for "app ${name}"` : undefined;
    return refuse(`Error: ${rule ?? `accepts ${allowed} arg(s), received ${operands.length}`}\n${usage(name)}`);
  } catch (error) {
    if (!(error instanceof FlagFailure)) throw error;
    if (command.operands === 'any') return command.program;
    return refuse(`Error: ${error.message}\n${usage(name)}`);
  }
}

function refuseUnknown(name: string): Program {
  if (name === '' || name === '--help' || name === 'help') {
    const names = [...Object.keys(COMMANDS), ...MISSING].sort();
    return refuse(`Usage:\n  app [command]\n\nAvailable Commands:\n${names.map((n) => `  ${n}\n`).join('')}`);
  }
  if (MISSING.includes(name)) return refuse(`agnhost: ${name} is not simulated\n`, 1);
  return refuse(`Error: unknown command "${name}" for "app"\nRun 'app --help' for usage.\n`);
}

/** Whether signals are left to Go's runtime. */
const leavesSignals = ({ pid }: Syscalls, name = ''): boolean =>
  pid === 1 && (!Object.hasOwn(COMMANDS, name) || COMMANDS[name]!.signals === undefined);

/** The test program of Kubernetes' end-to-end tests, one sub-command of it. Models test/images/agnhost. */
const agnhost: Program = {
  start(argv: readonly string[], sys: Syscalls): Plain {
    if (leavesSignals(sys, argv[1])) for (const signal of GO_SIGNALS) sys.handleSignal(signal, 'catch');
    return { command: argv[1] ?? '', inner: find(argv).start(argv, sys) };
  },
  step(state: Plain, sys: Syscalls): Wait {
    if (leavesSignals(sys, sys.argv[1]) && sys.takeSignal() !== undefined) return exit(GO_ENDED);
    return find(sys.argv).step((state as State).inner, sys);
  },
};

export const programs: Readonly<Record<string, Program>> = {
  'agnhost:agnhost': agnhost,
  'agnhost:resource-consumer': resourceConsumer.program,
  'nonewprivs:nnp': nnp,
};
