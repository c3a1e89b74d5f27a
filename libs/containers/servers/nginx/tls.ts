import { textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { readSmallFile } from '../../tools/accounts.js';
import { helloOf } from '../ingress/certificates.js';
import { ConfigurationFailure, find, type Directive } from './configuration.js';
import { listensOf, serversOf } from './route.js';

const PREFIX = '/etc/nginx/';

/**
 * What each port of TLS shows: the certificate of its default server. Models ngx_http_ssl_module. Left out:
 * certificates by the name that is asked for, protocols and ciphers, clients' certificates, and whether key and
 * certificate belong together. Throws ConfigurationFailure.
 */
export function readHellos(sys: Syscalls, configuration: readonly Directive[]): Record<string, ServerHello> {
  const hellos: Record<string, ServerHello> = {};
  const http = find(configuration, 'http')?.block ?? [];
  for (const server of serversOf(configuration)) {
    const listens = listensOf(server).filter(({ isTls }) => isTls);
    if (listens.length === 0) continue;
    const pathOf = (name: string): Bytes | undefined => (find(server.block, name) ?? find(http, name))?.args[0];
    const certificate = pathOf('ssl_certificate');
    const where = `in ${server.file}:${server.line}`;
    if (certificate === undefined)
      throw new ConfigurationFailure(`no "ssl_certificate" is defined for the "listen ... ssl" directive ${where}`);
    const key = pathOf('ssl_certificate_key');
    if (key === undefined)
      throw new ConfigurationFailure(`no "ssl_certificate_key" is defined for certificate "${certificate}"`);
    const hello = helloOf(textOf(load(sys, 'certificate', certificate)));
    if (!hello) throw unread('certificate', certificate, 'PEM_read_bio_X509_AUX', 'TRUSTED CERTIFICATE');
    if (!load(sys, 'certificate key', key).includes('PRIVATE KEY-----'))
      throw unread('certificate key', key, 'PEM_read_bio_PrivateKey', 'ANY PRIVATE KEY');
    for (const { port, isDefault } of listens) {
      if (isDefault || hellos[port] === undefined) hellos[port] = hello;
    }
  }
  return hellos;
}

const absolute = (path: Bytes): Bytes => (path.startsWith('/') ? path : PREFIX + path);

function load(sys: Syscalls, what: string, name: Bytes): Bytes {
  const path = absolute(name);
  try {
    const descriptor = sys.open(path, { read: true });
    sys.close(descriptor);
    return readSmallFile(sys, path);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const isMissing = error.code === 'ENOENT';
    const number = isMissing ? '80000002' : '8000000D';
    const reason = isMissing ? 'error:10000080:BIO routines::no such file' : 'error:10080002:BIO routines::system lib';
    throw new ConfigurationFailure(
      `cannot load ${what} "${path}": BIO_new_file() failed ` +
        `(SSL: error:${number}:system library::${error.message}:calling fopen(${path}, r) ${reason})`,
    );
  }
}

const unread = (what: string, name: Bytes, call: string, expected: string): ConfigurationFailure =>
  new ConfigurationFailure(
    `cannot load ${what} "${absolute(name)}": ${call}() failed ` +
      `(SSL: error:0480006C:PEM routines::no start line:Expecting: ${expected})`,
  );
