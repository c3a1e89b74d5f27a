import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { lookUp } from '../../lookup.js';
import { ConfigurationFailure, type Directive, find, findAll, readConfiguration } from '../configuration.js';
import type { Server } from './own.js';
import { readHellos } from '../tls.js';
import { slashed } from '../version.js';

/** False: the configuration is refused, in nginx' words. */
export function load(server: Server): boolean {
  const { sys, own } = server;
  try {
    own.configuration = readConfiguration(sys, own.file);
    checkUpstreams(server);
    own.hellos = readHellos(sys, own.configuration) as unknown as Record<string, Plain>;
    return true;
  } catch (error) {
    if (!(error instanceof ConfigurationFailure)) throw error;
    if (own.isReady) {
      server.err(`${slashed(sys.now)} [emerg] ${sys.pid}#${sys.pid}: ${error.message}\n`);
      return false;
    }
    if (own.mode === 'serve') server.err(`${slashed(sys.now)} [emerg] ${sys.pid}#${sys.pid}: ${error.message}\n`);
    server.err(`nginx: [emerg] ${error.message}\n`);
    if (own.mode === 'test') server.err(`nginx: configuration file ${own.file} test failed\n`);
    server.exit(1);
    return false;
  }
}

/** Names of upstream servers are resolved when the configuration is read. */
function checkUpstreams({ sys, own }: Server): void {
  const upstreams = findAll(find(own.configuration, 'http')?.block ?? [], 'upstream');
  const names = new Set(upstreams.map(({ args }) => args[0]));
  const check = (host: Bytes, { file, line }: Directive): void => {
    if (lookUp(sys, host).addresses.length > 0) return;
    throw new ConfigurationFailure(`host not found in upstream "${host}" in ${file}:${line}`);
  };
  for (const { block } of upstreams) {
    for (const server of findAll(block, 'server')) check((server.args[0] ?? '').replace(/:\d+$/, ''), server);
  }
  const visit = (block: readonly Directive[]): void => {
    for (const directive of block) {
      const host =
        directive.name === 'proxy_pass' ? /^https?:\/\/([^/:$]+)/.exec(directive.args[0] ?? '')?.[1] : undefined;
      if (host !== undefined && !directive.args[0]!.includes('$') && !names.has(host)) check(host, directive);
      if (directive.block !== null) visit(directive.block);
    }
  };
  visit(own.configuration);
}
