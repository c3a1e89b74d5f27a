import { HOUR } from '../../../../engine/machinery/time/time.js';
import { sealOf } from '../../../../engine/node/host/views/releases-view.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { newCertificateKey } from './certs/certs.js';
import { KubeadmFailure } from './failure.js';
import { send } from './requests.js';
import { expirationAt, newToken } from './tokens.js';

export const CERTIFICATES_TTL = 2 * HOUR;
/** What control planes share, as the Secret has it. */
const SHARED = ['ca', 'etcd-ca', 'front-proxy-ca'].flatMap((name) => [`${name}.crt`, `${name}.key`]);
const UPLOADED = [...SHARED, 'sa.key', 'sa.pub'];

/** The key that is given, or a new one where certificates are to be uploaded. Throws KubeadmFailure. */
export function certificateKeyOf(tool: ToolContext, options: Options): string | undefined {
  const given = options.value('certificate-key');
  if (given === undefined) return options.has('upload-certs') ? newCertificateKey(tool) : undefined;
  if (!/^[0-9a-f]{64}$/.test(given))
    throw new KubeadmFailure('error: invalid certificate key: it must be 32 bytes in hexadecimal');
  return given;
}

/** The phase upload-certs of `kubeadm init`. Models cmd/kubeadm/app/cmd/phases/init/uploadcerts.go. */
export function uploadPhase(tool: ToolContext, options: Options, key: string | undefined): void {
  if (!options.has('upload-certs') || key === undefined)
    return tool.out('[upload-certs] Skipping phase. Please see --upload-certs\n');
  const seals = Object.fromEntries(UPLOADED.map((name) => [name, sealOf(key, name)]));
  const expiration = expirationAt(tool.sys.now + CERTIFICATES_TTL);
  send(tool, { verb: 'upload-certs', seals, token: newToken(tool), expiration }, key);
  tool.out('[upload-certs] Storing the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace\n');
  if (!options.has('skip-certificate-key-print')) tool.out(`[upload-certs] Using certificate key:\n${key}\n`);
}
