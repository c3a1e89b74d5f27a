import { textOf } from '../../../../../engine/kernel/bytes.js';
import { commonName } from '../../../../../engine/machinery/crypto/x509/name.js';
import { encodeBase64 } from '../../../../../engine/machinery/text/base64.js';
import { adminKubeconfig, tokenKubeconfig } from '../../../../../engine/node/host/files/config-files.js';
import { extensionsOf } from '../../../../../engine/node/host/pki/extensions.js';
import type { Options } from '../../../framework/options.js';
import type { ToolContext } from '../../../framework/tool.js';
import { diskOf } from '../../disk.js';
import { readDuration } from './duration.js';
import { KubeadmFailure } from '../failure.js';
import { findSigner, signLeaf } from './issue.js';
import { PKI } from './leaves.js';
import { readSetting, serverOf } from '../phases.js';

/**
 * `kubeadm kubeconfig user`: prints a kubeconfig file of one more user, by a new certificate or a token. Models
 * cmd/kubeadm/app/cmd/kubeconfig.go. Throws KubeadmFailure.
 */
export function printUserKubeconfig(tool: ToolContext, options: Options): number {
  const user = options.value('client-name');
  const missing = [...(options.has('config') ? [] : ['config']), ...(user === undefined ? ['client-name'] : [])];
  if (user === undefined || missing.length > 0)
    throw new KubeadmFailure(`required flag(s) ${missing.map((name) => `"${name}"`).join(', ')} not set`);
  const server = serverOf(readSetting(tool, options));
  const authority = encodeBase64(textOf(diskOf(tool.sys).read(`${PKI}/ca.crt`) ?? ''));
  const token = options.value('token');
  if (token !== undefined) {
    tool.out(`${tokenKubeconfig(server, authority, user, token)}\n`);
    return 0;
  }
  const period = options.value('validity-period');
  const signer = findSigner(tool, 'ca');
  if (!signer)
    throw new KubeadmFailure(
      `couldn't create a kubeconfig; the CA files couldn't be loaded: failed to load key: couldn't load the private key file ${PKI}/ca.key: open ${PKI}/ca.key: no such file or directory`,
    );
  const organizations = options.values('org').flatMap((one) => one.split(','));
  const holder = { commonName: user, organizations, usages: ['client auth'] } as const;
  const { certificate, key } = signLeaf(
    tool,
    user,
    { subject: commonName(user, organizations), extensions: extensionsOf(holder) },
    signer,
    period === undefined ? undefined : readDuration(period, 'validity-period'),
  );
  tool.out(`${adminKubeconfig(server, authority, user, encodeBase64(certificate), encodeBase64(key))}\n`);
  return 0;
}
