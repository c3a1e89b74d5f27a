import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { type Wait, waitToRead, waitToWrite } from '../../../engine/kernel/process/program.js';
import { encodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import {
  alertIn,
  ALERTS,
  type ClientProof,
  formatHello,
  parseHello,
  type ServerHello,
} from '../../../engine/node/cni/tls.js';
import { proveHolder } from '../network/client-certificate.js';
import { lookUp } from '../../servers/lookup.js';
import type { FilterContext } from '../framework/filter.js';
import { readSmallFile } from '../accounts.js';
import { certificatesOf, chainFault, type ChainFault } from './verify.js';
import { showName } from './x509/names.js';
import { CommandFailure, type OpensslOptions } from './options.js';
import { type CertificateParts, showAlgorithm, showTime, sizeOfKey } from './show.js';

export const S_CLIENT_OPTIONS = 'connect: servername: CAfile: cert: key: showcerts quiet ign_eof noservername brief';

/** A connection as data. */
export type SClient = {
  descriptor: number;
  phase: 'connect' | 'hello' | 'talk';
  received: Bytes;
  serverName: string;
  toSend: Bytes;
  isInputOver: boolean;
};

const MAX_HELLO = 1 << 20;

/** Opens the connection that -connect names. Throws CommandFailure. */
export function startClient({ sys }: FilterContext, options: OpensslOptions): SClient {
  const target = options.value('connect') ?? 'localhost:4433';
  const [, host, port = '4433'] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(target) ?? [];
  if (host === undefined || host === '')
    throw new CommandFailure(`s_client: -connect argument or target parameter malformed or ambiguous`);
  const found = lookUp(sys, host);
  const [address] = found.addresses;
  if (address === undefined) {
    throw new CommandFailure(`BIO_lookup_ex:system library:getaddrinfo: Name or service not known\nconnect:errno=22`);
  }
  const isAddress = /^[\d.]+$|:/.test(host);
  const serverName = options.has('noservername') ? '' : (options.value('servername') ?? (isAddress ? '' : host));
  try {
    const descriptor = sys.connect(address, Number(port));
    return { descriptor, phase: 'connect', received: '', serverName, toSend: '', isInputOver: false };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new CommandFailure(`connect: ${error.message}`);
  }
}

const ERRNO: Readonly<Record<string, readonly [number, string]>> = {
  ECONNREFUSED: [111, 'Connection refused'],
  ETIMEDOUT: [110, 'Connection timed out'],
  EHOSTUNREACH: [113, 'No route to host'],
};

/** One step of a connection. */
export function stepClient(tool: FilterContext, client: SClient, options: OpensslOptions): number | Wait {
  const { sys } = tool;
  if (client.phase === 'connect') {
    let failure;
    try {
      failure = sys.connectError(client.descriptor);
    } catch (error) {
      if (error instanceof SystemError && error.code === 'EAGAIN') return waitToWrite(client.descriptor);
      throw error;
    }
    if (failure !== undefined) {
      const [number, words] = ERRNO[failure] ?? [5, new SystemError(failure).message];
      tool.err(`BIO_connect:system library: ${words}\nconnect:errno=${number}\n`);
      return 1;
    }
    const proof = proofOf(tool, options);
    sys.write(client.descriptor, formatHello({ serverName: client.serverName, ...(proof ? { proof } : {}) }));
    client.phase = 'hello';
  }
  return client.phase === 'hello' ? readHello(tool, client, options) : relay(tool, client);
}

/** Throws CommandFailure. */
function proofOf({ sys }: FilterContext, options: OpensslOptions): ClientProof | undefined {
  const certificate = options.value('cert');
  if (certificate === undefined) return undefined;
  const [pem, key] = [certificate, options.value('key') ?? certificate].map((path) => readSmallFile(sys, path));
  return proveHolder(`${pem}\n${key}`, sys.now);
}

const ALERT_WORDS: Readonly<Record<number, string>> = {
  [ALERTS.badCertificate]: '0A000412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate',
  [ALERTS.unknownAuthority]: '0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca',
  [ALERTS.certificateRequired]: '0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required',
};

function readHello(tool: FilterContext, client: SClient, options: OpensslOptions): number | Wait {
  const bytes = tool.sys.read(client.descriptor, 65_536);
  if (bytes === undefined) return waitToRead(client.descriptor);
  client.received += bytes;
  const answer = parseHello<ServerHello>(client.received);
  if (answer === undefined && bytes !== '' && client.received.length < MAX_HELLO) return waitToRead(client.descriptor);
  if (answer === undefined || answer === null) {
    const why = bytes === '' ? 'unexpected eof while reading' : 'wrong version number';
    tool.out('CONNECTED(00000003)\n');
    tool.err(`error:0A00010B:SSL routines:ssl3_get_record:${why}\n`);
    tool.out('---\nno peer certificate available\n---\nNo client certificate CA names sent\n---\n');
    return 1;
  }
  showHandshake(tool, answer.hello, options);
  const alert = alertIn(answer.rest);
  if (alert !== undefined) {
    tool.err(`error:${ALERT_WORDS[alert] ?? alert}:../ssl/record/rec_layer_s3.c:1600:SSL alert number ${alert}\n`);
    return 1;
  }
  client.phase = 'talk';
  tool.out(answer.rest);
  return relay(tool, client);
}

/** What is typed goes to the server, and what it says is shown. */
function relay(tool: FilterContext, client: SClient): number | Wait {
  const { sys } = tool;
  if (!client.isInputOver && client.toSend === '') {
    const typed = sys.read(0, 16_384);
    if (typed === '') client.isInputOver = true;
    else client.toSend = typed ?? '';
  }
  if (client.toSend !== '') client.toSend = client.toSend.slice(sys.write(client.descriptor, client.toSend));
  if (client.isInputOver && client.toSend === '') {
    tool.err('DONE\n');
    return 0;
  }
  const bytes = sys.read(client.descriptor, 65_536);
  if (bytes === '') {
    tool.err('closed\n');
    return 0;
  }
  if (bytes !== undefined) tool.out(bytes);
  const writable = client.toSend === '' ? [] : [client.descriptor];
  return { type: 'wait', readable: [client.descriptor, 0], writable };
}

function showHandshake(tool: FilterContext, hello: ServerHello, options: OpensslOptions): void {
  const chain = certificatesOf(hello.chain.join('\n'));
  const trusted = options.all('CAfile').flatMap((path) => certificatesOf(readSmallFile(tool.sys, path)));
  const [leaf] = chain;
  const faults = leaf === undefined ? [] : faultsOf(leaf, trusted, chain.slice(1), tool.sys.clock);
  const fault = faults.at(-1);
  const subject = leaf === undefined ? hello.subject : showName(leaf.subject);
  const issuer = leaf === undefined ? hello.issuer : showName(leaf.issuer);
  for (const { depth, certificate, number, message } of faults)
    tool.err(
      `depth=${depth} ${showName(certificate.subject)}\nverify error:num=${number}:${message}\nverify return:1\n`,
    );
  tool.err(`depth=0 ${subject}\nverify return:1\n`);
  if (options.has('quiet') || options.has('brief')) return;
  const result = fault === undefined ? '0 (ok)' : `${fault.number} (${fault.message})`;
  tool.out(
    [
      'CONNECTED(00000003)\n---\nCertificate chain\n',
      chain.map((one, i) => showLink(one, i, options.has('showcerts'))).join(''),
      '---\nServer certificate\n',
      leaf === undefined ? '' : encodePem('CERTIFICATE', leaf.bytes),
      `subject=${subject}\nissuer=${issuer}\n`,
      '---\nNo client certificate CA names sent\n---\n',
      `${fault === undefined ? 'Verification: OK' : `Verification error: ${fault.message}`}\n---\n`,
      `New, TLSv1.3, Cipher is TLS_AES_256_GCM_SHA384\n`,
      leaf === undefined ? '' : `Server public key is ${sizeOfKey(leaf.publicKey).bits} bit\n`,
      `Verify return code: ${result}\n---\n`,
    ].join(''),
  );
}

/** A server that shows its own certificate alone is told so behind that nobody knows its issuer. */
function faultsOf(...given: Parameters<typeof chainFault>): ChainFault[] {
  const fault = chainFault(...given);
  if (fault === undefined) return [];
  const isAlone = fault.number === 20 && fault.depth === 0;
  return isAlone ? [fault, { ...fault, number: 21, message: 'unable to verify the first certificate' }] : [fault];
}

function showLink(one: CertificateParts, index: number, withPem: boolean): string {
  const { kind, bits } = sizeOfKey(one.publicKey);
  const head = ` ${index} s:${showName(one.subject)}\n   i:${showName(one.issuer)}\n`;
  const key = `   a:PKEY: ${kind}, ${bits} (bit); sigalg: ${kind === 'rsaEncryption' ? 'RSA-SHA256' : showAlgorithm(one.algorithm)}\n`;
  const dates = `   v:NotBefore: ${showTime(one.notBefore)}; NotAfter: ${showTime(one.notAfter)}\n`;
  return head + key + dates + (withPem ? encodePem('CERTIFICATE', one.bytes) : '');
}
