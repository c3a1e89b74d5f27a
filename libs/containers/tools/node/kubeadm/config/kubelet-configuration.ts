import { stringify } from 'yaml';
import { KUBELET_CONFIGURATION } from '../../../../../engine/node/host/files/config-files.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { KubeadmFailure } from '../failure.js';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * /var/lib/kubelet/config.yaml of what the kubelet-config ConfigMap says: what it leaves out has the values that
 * kubeadm writes. Models cmd/kubeadm/app/phases/kubelet/config.go. Throws KubeadmFailure for what is no
 * KubeletConfiguration.
 */
export function kubeletConfiguration(text: string): string {
  if (text === '') return KUBELET_CONFIGURATION;
  const { value } = parseYaml(text);
  if (!isFields(value) || value['kind'] !== 'KubeletConfiguration')
    throw new KubeadmFailure(
      'error: error execution phase kubelet-config: unable to fetch the kubelet configuration from the ConfigMap "kubelet-config": it has no KubeletConfiguration',
    );
  const made = merge(parseYaml(KUBELET_CONFIGURATION).value as Fields, value);
  return stringify(made, { sortMapEntries: true, indentSeq: false, lineWidth: 0 });
}

function merge(base: Fields, over: Fields): Fields {
  const made: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = base[key];
    made[key] = isFields(old) && isFields(value) ? merge(old, value) : value;
  }
  return made;
}
