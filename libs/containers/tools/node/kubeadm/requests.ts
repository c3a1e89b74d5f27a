import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { hash32 } from '../../../../engine/machinery/random.js';
import { REQUESTS, type HostRequest } from '../../../../engine/node/host/requests.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';

/** Leaves a request to the API server for the node's host. `about`: what tells it from others of this moment. */
export function send({ sys }: ToolContext, request: HostRequest, about: string): void {
  for (const path of ['/run/kubeadm', REQUESTS]) if (!sys.access(path, '')) sys.makeDirectory(path, 0o700);
  const name = `${hash32(`${sys.now}/${about}/${request.verb}`).toString(16)}-${diskOf(sys).list(REQUESTS).length}`;
  writeFile(sys, `${REQUESTS}/${name}`, bytesOf(JSON.stringify(request)), 0o600);
}
