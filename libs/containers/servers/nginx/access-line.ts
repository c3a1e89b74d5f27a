import { MONTHS } from '../http.js';

/** A request as nginx logs it. Header names are lower case. */
export interface Logged {
  readonly address: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  };
  readonly answer: { readonly status: number };
  /** Bytes of the answer's body. */
  readonly size: number;
  /** Virtual ms since 1970. */
  readonly now: number;
}

/** The format `main` of the image's configuration, without the line's end. */
export function accessLine({ address, request, answer, size, now }: Logged): string {
  const iso = new Date(now).toISOString();
  const time = `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
  const header = (name: string): string => String(request.headers[name] ?? '-');
  const sent = request.method === 'HEAD' ? 0 : size;
  return `${address} - - [${time}] "${request.method} ${request.path} HTTP/1.1" ${answer.status} ${sent} "${header('referer')}" "${header('user-agent')}" "${header('x-forwarded-for')}"`;
}
