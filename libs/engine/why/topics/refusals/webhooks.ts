import type { WebhookClientConfig } from '../../../api/admissionregistration_v1.js';
import { MutatingWebhookConfigurations, Services, ValidatingWebhookConfigurations } from '../../../kinds/index.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { explainMissing } from '../../missing.js';
import { findingOf, MAX_DEPTH, refText, type Topic, type World } from '../../world.js';

interface Webhook {
  readonly name: string;
  readonly failurePolicy?: string;
  readonly clientConfig?: WebhookClientConfig;
}
type Configuration = KubeObject & { readonly webhooks?: readonly Webhook[] };

const FAILED = /failed calling webhook "([^"]+)"/;
const DENIED = /admission webhook "([^"]+)" denied the request/;
const HTTPS = 443;

const configurationsOf = ({ read }: World): readonly Configuration[] =>
  [...read.list(ValidatingWebhookConfigurations), ...read.list(MutatingWebhookConfigurations)] as Configuration[];

/** The configuration that names a webhook which was not reached, or has refused, and what is wrong with its Service. */
export function webhookFindings(world: World, _namespace: string, message: string): WhyFinding[] {
  const [, failed] = FAILED.exec(message) ?? [];
  const name = failed ?? DENIED.exec(message)?.[1];
  if (name === undefined) return [];
  return configurationsOf(world).flatMap((configuration) => {
    const webhook = configuration.webhooks?.find((one) => one.name === name);
    if (!webhook) return [];
    const { failurePolicy = 'Fail' } = webhook;
    const { service, url } = webhook.clientConfig ?? {};
    const place = service ? refText('service', service.namespace, service.name) : (url ?? '');
    const text =
      failed === undefined
        ? `its webhook "${name}" (${place}) has refused`
        : `its webhook "${name}" asks ${place}, which does not answer, and its failurePolicy is ${failurePolicy}`;
    const behind = failed === undefined ? [] : serviceFindings(world, configuration, webhook, 0);
    return [...behind, findingOf(configuration, 'AdmissionWebhook', text)];
  });
}

function serviceFindings(
  world: World,
  owner: KubeObject,
  { name, clientConfig }: Webhook,
  depth: number,
): WhyFinding[] {
  const { service } = clientConfig ?? {};
  if (!service) return [];
  const { namespace, port = HTTPS } = service;
  const found = world.read.get(Services, { namespace, name: service.name });
  if (!found) return [explainMissing(world, Services, namespace, service.name).finding];
  const ports = found.spec.ports ?? [];
  const wrong = ports.some((one) => one.port === port)
    ? []
    : [
        findingOf(
          owner,
          'NoSuchPort',
          `its webhook "${name}" asks port ${port} of ${refText('service', namespace, service.name)}, ` +
            `which has ${ports.map((one) => one.port).join(', ') || 'none'}`,
        ),
      ];
  return [...wrong, ...world.explain('services', found, depth + 1)];
}

/** Why the webhooks of a configuration cannot be asked. */
export const webhookTopic: Topic<Configuration> = (world, configuration, depth) =>
  depth >= MAX_DEPTH
    ? []
    : (configuration.webhooks ?? []).flatMap((webhook) => serviceFindings(world, configuration, webhook, depth));
