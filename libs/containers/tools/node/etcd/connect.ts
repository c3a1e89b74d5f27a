import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { parseServer } from '../../../../engine/node/host/services/kubelet-start.js';
import type { Options } from '../../framework/options.js';
import { type ToolContext, ToolFailure } from '../../framework/tool.js';
import { diskOf } from '../disk.js';
import { MANIFEST, membershipOf } from './members.js';

export const VERSION = '3.6.8';
/** Of the database's schema. */
export const STORAGE_VERSION = '3.6.0';
const PORT = 2_379;
const GAVE_UP = 'Error: context deadline exceeded';

/** A command fails in etcdctl's words, on standard error. */
export class EtcdFailure extends ToolFailure {}

export const fail = (message: string): EtcdFailure => new EtcdFailure(`Error: ${message}`);

const setting = ({ sys }: ToolContext, options: Options, name: string): string | undefined =>
  options.value(name) ?? sys.env[`ETCDCTL_${name.toUpperCase().replaceAll('-', '_')}`];

/** The endpoints that are asked: those of the command line. */
export const endpointsOf = (tool: ToolContext, options: Options): string[] =>
  (setting(tool, options, 'endpoints') ?? '127.0.0.1:2379').split(',');

/**
 * Reaches etcd with the certificates of the command line, at the first endpoint that answers. Throws EtcdFailure.
 * Returns the endpoint.
 */
export function connect(tool: ToolContext, options: Options): string {
  const endpoints = endpointsOf(tool, options);
  const first = endpoints.find((endpoint) => whyNot(tool, options, endpoint) === undefined);
  if (first !== undefined) return first;
  const why = whyNot(tool, options, endpoints[0]!)!;
  throw giveUp(tool, endpoints[0]!, 'KV/Range', `latest balancer error: ${why}`);
}

/** The same for what most members have to agree to. Throws EtcdFailure while there is no leader. */
export function propose(tool: ToolContext, options: Options, method: string): string {
  const endpoint = connect(tool, options);
  if (membershipOf(tool).leader || options.value('consistency') === 's') return endpoint;
  throw giveUp(tool, endpoint, method, 'context deadline exceeded');
}

/** Warns as the client does when it has tried for 5 s. */
export function giveUp(tool: ToolContext, endpoint: string, method: string, why: string): EtcdFailure {
  warn(tool, endpoint, method, why);
  return new EtcdFailure(GAVE_UP);
}

export function warn({ sys, err }: ToolContext, endpoint: string, method: string, why: string): void {
  const time = new Date(sys.now).toISOString();
  const text = `{"level":"warn","ts":"${time}","logger":"etcd-client","caller":"v3@v${VERSION}/retry_interceptor.go:65","msg":"retrying of unary invoker failed","target":"etcd-endpoints://0xc0003a8000/${endpoint}","method":"/etcdserverpb.${method}","attempt":0,"error":"rpc error: code = DeadlineExceeded desc = ${why}"}`;
  err(bytesOf(`${text}\n`));
}

/** Why an endpoint is not reached; undefined: it is. Throws EtcdFailure for files that are not there. */
export function whyNot(tool: ToolContext, options: Options, endpoint: string): string | undefined {
  const disk = diskOf(tool.sys);
  for (const name of ['cacert', 'cert', 'key']) {
    const file = setting(tool, options, name);
    if (file !== undefined && !disk.has(file)) throw fail(`open ${file}: no such file or directory`);
  }
  const [authority, certificate, key] = ['cacert', 'cert', 'key'].map((name) => setting(tool, options, name) ?? '');
  const url = parseServer(endpoint.startsWith('http') ? endpoint : `https://${endpoint}`);
  if (url?.port !== PORT || !disk.has(MANIFEST))
    return `connection error: desc = \\"transport: Error while dialing: dial tcp ${url?.host}:${url?.port}: connect: connection refused\\"`;
  const host = `${url.host}:${url.port}`;
  if (membershipOf(tool).members.some((member) => member.isDown && member.url.endsWith(`//${host}`)))
    return `connection error: desc = \\"transport: Error while dialing: dial tcp ${host}: connect: no route to host\\"`;
  if (!endpoint.startsWith('https://') && !authority)
    return 'connection error: desc = \\"error reading server preface: EOF\\"';
  if (authority!.includes('/etcd/') && certificate !== '' && key !== '') return undefined;
  return 'connection error: desc = \\"transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority\\"';
}
