import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, executable, file, joinLayers, link } from '../../layers/index.js';
import { alpine, withAlpinePackages } from '../bases.js';

const AGNHOST_SIZE = 62_914_560;
const pem = (kind: string, line: string): string => `-----BEGIN ${kind}-----\n${line}\n-----END ${kind}-----\n`;

/** agnhost's own image: Alpine with tools for the network, and the program at two names. */
export const agnhostFiles: ImageFiles = joinLayers(
  withAlpinePackages(alpine('3.21'), 'bash', 'bind', 'curl', 'iproute2', 'netcat-openbsd'),
  {
    '/agnhost': executable('agnhost:agnhost', AGNHOST_SIZE),
    '/agnhost-2': link('agnhost'),
    '/localhost.crt': file(pem('CERTIFICATE', 'MIIDGTCCAgGgAwIBAgIRALL5AZcefF4kkYV1SEG6YrMwDQYJKoZIhvcNAQELBQAw')),
    '/localhost.key': file(pem('PRIVATE KEY', 'MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDAhHAFlL1Yx8')),
    '/uploads': directory(),
  },
);
