import { textOf } from '../../../../engine/kernel/bytes.js';
import type { ApiObject, Session } from '../../../tools/kubectl/session/session.js';
import { birdPeers, type BirdPeer } from './bird.js';

type Fields = Readonly<Record<string, unknown>>;
const CRD = '/apis/crd.projectcalico.org/v1';

const itemsOf = (list: ApiObject | undefined): readonly ApiObject[] =>
  (list?.['items'] as readonly ApiObject[] | undefined) ?? [];

/** The peers of the node that the program runs on, and since when they are. */
export function readBird(session: Session): { readonly peers: readonly BirdPeer[]; readonly since: string } {
  const node = textOf(session.sys.env['NODENAME'] ?? '') || textOf(session.sys.hostname);
  const all = itemsOf(session.get('/api/v1/nodes'));
  const nodes = all.flatMap(({ metadata = {} }) => {
    const address = metadata.annotations?.['projectcalico.org/IPv4Address'];
    return address === undefined
      ? []
      : [{ name: metadata.name ?? '', ip: address.split('/')[0] ?? '', labels: metadata.labels ?? {} }];
  });
  const specs = itemsOf(findOrNone(session, `${CRD}/bgppeers`)).map(({ spec }) => (spec ?? {}) as Fields);
  const configuration = (findOrNone(session, `${CRD}/bgpconfigurations/default`)?.['spec'] ?? {}) as Fields;
  const own = all.find(({ metadata }) => metadata?.name === node);
  return { peers: birdPeers({ node, nodes, peers: specs, configuration }), since: sinceOf(own) };
}

/** What is not there, or is not to be read, says nothing. */
function findOrNone(session: Session, path: string): ApiObject | undefined {
  const { status, body } = session.call({ path });
  return status >= 400 ? undefined : (JSON.parse(body) as ApiObject);
}

/** When its agent has come up, as BIRD prints a time of the same day. */
function sinceOf(node: ApiObject | undefined): string {
  const status = (node?.['status'] ?? {}) as { readonly conditions?: readonly Fields[] };
  const at = status.conditions?.find(({ type }) => type === 'NetworkUnavailable')?.['lastTransitionTime'];
  return typeof at === 'string' ? at.slice(11, 19) : '00:00:00';
}
