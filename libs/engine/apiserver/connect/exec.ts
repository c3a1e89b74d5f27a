import type { Pod } from '../../api/core_v1.js';
import { Nodes } from '../../kinds/index.js';
import type { BodyResponse, ExecResponse } from '../../machinery/http.js';
import { badRequest, notFound } from '../../machinery/meta/status.js';
import type { Call } from '../call.js';
import { containerOf } from './logs.js';
import { getStored } from '../verbs/get.js';
import { textResponse } from '../response/writers.js';

const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);
const MAX_ARGUMENTS = 1_000;

/**
 * pods/exec over a WebSocket. Models pkg/registry/core/pod ExecLocation.
 * Left out: pods/attach, pods/portforward, SPDY.
 */
export function exec(call: Call): ExecResponse | BodyResponse {
  const { query, server, now, request } = call;
  const pod = getStored(call) as Pod;
  const container = call.subresource === 'portforward' ? '' : containerOf(pod, query.text('container'));
  const { nodeName } = pod.spec;
  if (!nodeName) throw badRequest(`pod ${call.name} does not have a host assigned`);
  if (!server.state.get(Nodes, { namespace: '', name: nodeName })) throw notFound(Nodes, nodeName);
  const upgrade = (request.headers['upgrade'] ?? '').toLowerCase();
  if (upgrade === '') throw badRequest('Upgrade request required');
  if (call.subresource !== 'exec') throw badRequest(`pods/${call.subresource} is not served by this cluster`);
  const command = query.all('command').slice(0, MAX_ARGUMENTS);
  if (command.length === 0) throw badRequest('you must specify at least 1 command for the container');
  const run = server.exec?.(pod, container, command, now);
  // The kubelet's own words, which are no Status.
  if (!run) return textResponse(500, `container not found (${JSON.stringify(container)})`);
  if (upgrade !== 'websocket')
    throw badRequest(`an upgrade to ${request.headers['upgrade']} is not served by this cluster: use a WebSocket`);
  const isShell = SHELLS.has(command[0]!.split('/').at(-1)!) && !command.some((a) => /^-\w*c$/.test(a));
  return {
    type: 'exec',
    status: 101,
    headers: {},
    command,
    stdin: query.flag('stdin'),
    tty: query.flag('tty'),
    isShell,
    run,
  };
}
