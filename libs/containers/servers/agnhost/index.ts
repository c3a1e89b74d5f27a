import type { Plain, Program, Wait } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { connect } from './network/connect.js';
import { defineJob, type Command } from './command/command.js';
import { FlagFailure, Flags } from './command/flags.js';
import { auditProxy, fakeGitServer, grpcHealthChecking, httpEcho, noSnatTest } from './servers/http-servers.js';
import { inClusterClient } from './cluster/in-cluster.js';
import { issuerDiscovery } from './cluster/issuer-discovery.js';
import { mounttest } from './print/mounttest.js';
import { netexec } from './netexec/netexec.js';
import { nnp } from './print/nnp.js';
import { guestbook } from './servers/guestbook.js';
import { portForwardTester } from './network/port-forward-tester.js';
import { dnsServerList, dnsSuffix, entrypointTester, etcHosts, logsGenerator } from './print/print.js';
import { resourceConsumer } from './servers/resource-consumer.js';
import { liveness, pause, porter, serveHostname, tcpReset, testWebserver } from './servers/simple-servers.js';

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
  'no-snat-test': noSnatTest,
  pause,
  porter,
  'port-forward-tester': portForwardTester,
  'resource-consumer': resourceConsumer,
  'serve-hostname': serveHostname,
  'tcp-reset': tcpReset,
  'test-service-account-issuer-discovery': issuerDiscovery,
  'test-webserver': testWebserver,
};

/** Those of upstream that this program does not have. */
const MISSING = [
  ...['crd-conversion-webhook', 'external-metrics', 'fake-metrics-server', 'fake-registry-server', 'h2c-server'],
  ...['mtlsclient', 'mtlsserver', 'net', 'nettest', 'no-snat-test-proxy', 'nonewprivs', 'podcertificatesigner'],
  ...['resource-consumer-controller', 'webhook'],
];

type State = { command: string; inner: Plain };

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

/** The test program of Kubernetes' end-to-end tests, one sub-command of it. Models test/images/agnhost. */
const agnhost: Program = {
  start: (argv: readonly string[], sys: Syscalls): Plain => ({
    command: argv[1] ?? '',
    inner: find(argv).start(argv, sys),
  }),
  step: (state: Plain, sys: Syscalls): Wait => find(sys.argv).step((state as State).inner, sys),
};

export const programs: Readonly<Record<string, Program>> = {
  'agnhost:agnhost': agnhost,
  'agnhost:resource-consumer': resourceConsumer.program,
  'nonewprivs:nnp': nnp,
};
