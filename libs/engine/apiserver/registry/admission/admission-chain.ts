import type { ApiServerConfiguration } from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { AdmissionPlugin } from '../../../runtime/admission.js';

/** The part of a write that plug-ins are asked about; it decides which of them run. */
export type Handled =
  /** An object of the resource. */
  | 'object'
  /** The body that is sent to a subresource or a connection: a Binding. */
  | 'body'
  /** The object that an action writes because of a body, which webhooks and policies have already seen. */
  | 'parent';

/** The plug-ins that handle a resource, in their order. Models apiserver/pkg/admission/chain.go. */
export class AdmissionChain {
  private readonly known: Readonly<Record<Handled, Map<string, readonly AdmissionPlugin[]>>> = {
    object: new Map(),
    body: new Map(),
    parent: new Map(),
  };

  constructor(private readonly plugins: readonly AdmissionPlugin[]) {}

  /** `flags`: of an API server that was told of plug-ins. */
  pluginsFor(resource: string, handled: Handled, flags?: PluginFlags): readonly AdmissionPlugin[] {
    if (flags?.enabledPlugins || flags?.disabledPlugins)
      return this.plugins.filter((p) => isOn(p, flags) && handles(p, resource, handled));
    const known = this.known[handled];
    let plugins = known.get(resource);
    if (!plugins)
      known.set(resource, (plugins = this.plugins.filter((p) => !p.isOff && handles(p, resource, handled))));
    return plugins;
  }
}

type PluginFlags = Pick<ApiServerConfiguration, 'enabledPlugins' | 'disabledPlugins'>;

const isOn = ({ name, isOff }: AdmissionPlugin, { enabledPlugins = [], disabledPlugins = [] }: PluginFlags): boolean =>
  isOff ? enabledPlugins.includes(name) : !disabledPlugins.includes(name);

function handles({ resources, handlesBodies }: AdmissionPlugin, resource: string, handled: Handled): boolean {
  if (resources && !resources.includes(resource)) return false;
  return handled === 'object' || (handled === 'body') === (handlesBodies === true);
}
