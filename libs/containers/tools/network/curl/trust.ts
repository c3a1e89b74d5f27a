import { ALERTS, type ServerHello } from '../../../../engine/node/cni/tls.js';
import type { FilterContext } from '../../framework/filter.js';
import { type Fetch, findTlsFault } from '../fetch.js';
import type { CurlRequest } from './curl-options.js';

const UNTRUSTED = [
  'SSL certificate problem: unable to get local issuer certificate',
  'More details here: https://curl.se/docs/sslcerts.html',
  '',
  'curl failed to verify the legitimacy of the server and therefore could not',
  'establish a secure connection to it. To learn more about this situation and',
  'how to fix it, please visit the web page mentioned above.',
].join('\n');

/** Why the certificate of a server does not do. */
export function distrust(
  { sys }: FilterContext,
  { isInsecure, trusted }: CurlRequest,
  { host }: Fetch,
  tls: ServerHello,
): [number, string] | undefined {
  const fault = isInsecure ? undefined : findTlsFault(sys, tls, host, trusted);
  if (fault === undefined) return undefined;
  if (fault === 'issuer') return [60, UNTRUSTED];
  const [, ...advice] = UNTRUSTED.split('\n');
  return [60, `SSL: no alternative certificate subject name matches target host name '${host}'\n${advice.join('\n')}`];
}

const ALERT_WORDS: Readonly<Record<number, string>> = {
  [ALERTS.badCertificate]: '0A000412:SSL routines::ssl/tls alert bad certificate',
  [ALERTS.unknownAuthority]: '0A000418:SSL routines::tlsv1 alert unknown ca',
  [ALERTS.certificateRequired]: '0A00045C:SSL routines::tlsv13 alert certificate required',
};

/** Why a server has ended the handshake, in curl's words. */
export const showAlert = (alert: number): string =>
  `OpenSSL SSL_read: OpenSSL/3.0.16: error:${ALERT_WORDS[alert] ?? alert}, errno 0`;
