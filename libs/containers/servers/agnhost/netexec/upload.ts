import { bytesOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { errnoText, marshal } from '../../go.js';
import { plainText, type AnswerParts, type HttpRequest } from '../../http.js';
import type { Running } from '../../serve.js';
import { logTo } from '../command/command.js';
import { SystemError } from '../../../../engine/kernel/errno.js';

/** Writes the form's file to /uploads under a new name. */
export function saveUpload<Own extends Plain>(server: Running<Own>, request: HttpRequest): AnswerParts {
  const { sys } = server;
  logTo(server, 'GET /upload');
  const content = readFormFile(request);
  if (content === undefined) {
    logTo(server, 'Unable to upload file: http: no such file');
    return plainText(marshal({ error: 'Unable to upload file.' }));
  }
  const path = `/uploads/upload${String(Math.floor(sys.random() * 1e9)).padStart(9, '0')}`;
  try {
    const descriptor = sys.open(path, { write: true, create: true, exclusive: true }, 0o600);
    sys.write(descriptor, content);
    sys.close(descriptor);
    sys.chmod(path, 0o700);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    logTo(server, bytesOf(`Unable to open file for write: open ${path}: ${errnoText(error)}`));
    return plainText(marshal({ error: 'Unable to open file for write' }));
  }
  logTo(server, `Wrote upload to ${path}`);
  return plainText(marshal({ output: path }), 201);
}

/** The content of the field `file` of a multipart form. */
function readFormFile({ headers, body }: HttpRequest): Bytes | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    if (/\bname="file"/.test(part.slice(0, end)) && /\bfilename=/.test(part.slice(0, end))) {
      return part.slice(end + 4).replace(/\r\n$/, '');
    }
  }
  return undefined;
}
