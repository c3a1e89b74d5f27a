import { textOf } from '../../../../engine/kernel/bytes.js';
import type { Program } from '../../../../engine/kernel/process/program.js';
import { PlainFailure } from '../../../tools/kubectl/session/failure.js';
import type { Session } from '../../../tools/kubectl/session/session.js';
import { readBird } from './bird-view.js';
import { showProtocols, statusRow } from './bird.js';
import { defineApiClient } from './client-steps.js';
import { get } from './get.js';
import { showIpam } from './ipam.js';
import { lined } from './table.js';
import { write, type Verb } from './write.js';

const FLAGS: readonly string[] = [
  ...['n,namespace:', 'a,all-namespaces', 'o,output:', 'f,filename:', 'c,config:', 'h,help', 'l,log-level:', 'poll:'],
  ...['show-blocks', 'show-borrowed', 'show-configuration', 'ip:', 'skip-exists', 'skip-not-exists', 'client'],
  ...['R,recursive', 'skip-empty', 'allow-version-mismatch', 'context:', 'export'],
];
const DEFAULT_RELEASE = 'v3.31.0';
/** Where BIRD's socket is, on nodes. */
const RUN = '/var/run/calico';
const HEADS: readonly string[] = ['PEER ADDRESS', 'PEER TYPE', 'STATE', 'SINCE', 'INFO'];

const USAGE = `Usage:
  calicoctl [options] <command> [<args>...]

    create       Create a resource by file, directory or stdin.
    replace      Replace a resource by file, directory or stdin.
    apply        Apply a resource by file, directory or stdin.  This creates a resource
                 if it does not exist, and replaces a resource if it does exists.
    delete       Delete a resource identified by file, directory, stdin or resource type and
                 name.
    get          Get a resource identified by file, directory, stdin or resource type and
                 name.
    ipam         IP address management.
    node         Calico node management.
    version      Display the version of this binary.
`;

const NOT_THERE = (words: string): string => `calicoctl ${words} is not simulated`;

/** Calico's client. Models calicoctl. Left out: patch, label, convert, datastore, cluster, and all of ipam but show. */
const calicoctl = defineApiClient('calicoctl', FLAGS, (session) => {
  const [command = '', ...rest] = session.args;
  if (command === '' || command === 'help' || session.flags.isOn('help')) return session.out(USAGE);
  switch (command) {
    case 'get':
      return get(session, rest);
    case 'apply':
    case 'create':
    case 'replace':
    case 'delete':
      return write(session, command satisfies Verb, rest);
    case 'version':
      return showVersion(session);
    case 'ipam':
      if (rest[0] === 'show') return showIpam(session);
      throw new PlainFailure(NOT_THERE(`ipam ${rest[0] ?? ''}`.trim()));
    case 'node':
      if (rest[0] === 'status') return showStatus(session);
      throw new PlainFailure(NOT_THERE(`node ${rest[0] ?? ''}`.trim()));
    case 'patch':
    case 'label':
    case 'convert':
    case 'datastore':
    case 'cluster':
      throw new PlainFailure(NOT_THERE(command));
    default:
      throw new PlainFailure(`Unknown command: ${JSON.stringify(command)}\n${USAGE}`);
  }
});

/** With --poll it stays; that the cluster's release changes is not followed. */
function showVersion(session: Session): 'stay' | void {
  session.out(`Client Version:    ${releaseOf(session)}\nGit commit:        unknown\n`);
  if (session.flags.isOn('client')) return undefined;
  const found = session.find('/apis/crd.projectcalico.org/v1/clusterinformations/default');
  const stays = session.flags.has('poll') ? 'stay' : undefined;
  if (!found && stays) return stays;
  if (!found)
    throw new PlainFailure(
      'unable to retrieve Cluster Version or Type: resource does not exist: ClusterInformation(default) with error: ' +
        'clusterinformations.crd.projectcalico.org "default" not found',
    );
  const { calicoVersion, clusterType } = (found['spec'] ?? {}) as Readonly<Record<string, string | undefined>>;
  session.out(`Cluster Version:   ${calicoVersion ?? 'unknown'}\nCluster Type:      ${clusterType ?? 'unknown'}\n`);
  return stays;
}

const releaseOf = ({ sys }: Session): string => textOf(sys.env['CALICO_VERSION'] ?? DEFAULT_RELEASE);

/** Models calicoctl/commands/node/status.go: it looks for the agent's processes, and asks BIRD. */
function showStatus(session: Session): number {
  if (!session.sys.access(RUN, '')) {
    session.out('Calico process is not running.\n');
    return 1;
  }
  const { peers, since } = readBird(session);
  const rows = peers.map((peer) => statusRow(peer, since));
  const table = rows.length === 0 ? 'No IPv4 peers found.\n' : lined(HEADS, rows);
  session.out(`Calico process is running.\n\nIPv4 BGP status\n${table}\nIPv6 BGP status\nNo IPv6 peers found.\n\n`);
  return 0;
}

/** BIRD's client in the agent's container: `birdcl show protocols`. */
const birdcl = defineApiClient('birdcl', ['s:', 'v', 'r'], (session) => {
  const words = session.args.join(' ');
  if (!/^sh(?:ow)? prot(?:ocols)?$/.test(words)) throw new PlainFailure(`birdcl ${words} is not simulated`);
  const { peers, since } = readBird(session);
  return session.out(showProtocols(peers, since));
});

export const clients: Readonly<Record<string, Program>> = {
  'calico:calicoctl': calicoctl,
  'calico:birdcl': birdcl,
};
