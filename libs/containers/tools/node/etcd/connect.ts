import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { parseServer } from '../../../../engine/node/host/services/kubelet-start.js';
import type { Options } from '../../options.js';
import { type ToolContext, ToolFailure } from '../../tool.js';
import { diskOf } from '../disk.js';

export const VERSION = '3.6.8';
export const MANIFEST = '/etc/kubernetes/manifests/etcd.yaml';
const PORT = 2_379;
const REFUSED = 'Error: context deadline exceeded\n';

/** A command fails in etcdctl's words, on standard error. */
export class EtcdFailure extends ToolFailure {}

export const fail = (message: string): EtcdFailure => new EtcdFailure(`Error: ${message}`);

const setting = ({ sys }: ToolContext, options: Options, name: string): string | undefined =>
  options.value(name) ?? sys.env[`ETCDCTL_${name.toUpperCase().replaceAll('-', '_')}`];

/** Reaches etcd with the certificates of the command line. Throws EtcdFailure. */
export function connect(tool: ToolContext, options: Options): string {
  const disk = diskOf(tool.sys);
  const endpoint = (setting(tool, options, 'endpoints') ?? '127.0.0.1:2379').split(',')[0]!;
  for (const name of ['cacert', 'cert', 'key']) {
    const file = setting(tool, options, name);
    if (file !== undefined && !disk.has(file)) throw fail(`open ${file}: no such file or directory`);
  }
  const [authority, certificate, key] = ['cacert', 'cert', 'key'].map((name) => setting(tool, options, name) ?? '');
  const url = parseServer(endpoint.startsWith('http') ? endpoint : `https://${endpoint}`);
  const isPlain = !endpoint.startsWith('https://') && !authority;
  const isTrusted = authority!.includes('/etcd/') && certificate !== '' && key !== '';
  const why =
    url?.port !== PORT || !disk.has(MANIFEST)
      ? `connection error: desc = \\"transport: Error while dialing: dial tcp ${url?.host}:${url?.port}: connect: connection refused\\"`
      : isPlain
        ? 'connection error: desc = \\"error reading server preface: EOF\\"'
        : isTrusted
          ? undefined
          : 'connection error: desc = \\"transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority\\"';
  if (why === undefined) return endpoint;
  const time = new Date(tool.sys.now).toISOString();
  const warning = `{"level":"warn","ts":"${time}","logger":"etcd-client","caller":"v3@v${VERSION}/retry_interceptor.go:65","msg":"retrying of unary invoker failed","target":"etcd-endpoints://0xc0003a8000/${endpoint}","method":"/etcdserverpb.KV/Range","attempt":0,"error":"rpc error: code = DeadlineExceeded desc = latest balancer error: ${why}"}`;
  tool.err(bytesOf(`${warning}\n`));
  throw new EtcdFailure(REFUSED.trim());
}
