import { decodeUtf8Lossy, encodeUtf8 } from '../../machinery/text/utf8.js';
import type { ApiRequest, ApiResponse, PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';

/** A request that a program in a pod sends to the API server, as the API server gets it. */
export function toApiRequest({ method, path: url, headers, body, clientCertificate }: PodHttpRequest): ApiRequest {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? '' : url.slice(at + 1);
  return {
    ...{ method, path, query, headers },
    ...(body === '' ? {} : { body: encodeUtf8(body) }),
    ...(clientCertificate ? { clientCertificate } : {}),
  };
}

/** The API server's answer, as the program gets it. A watch ends after what there is now. */
export function toPodAnswer(response: ApiResponse): PodHttpAnswer {
  const { status } = response;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ]),
  );
  if (response.type === 'body') return { status, headers, body: textOf(response.body) };
  if (response.type === 'watch') return { status, headers, body: [...response.initial].map(textOf).join('') };
  return { status: 400, body: 'Upgrade request required' };
}

const textOf = (body: string | Uint8Array): string => (typeof body === 'string' ? body : decodeUtf8Lossy(body));
