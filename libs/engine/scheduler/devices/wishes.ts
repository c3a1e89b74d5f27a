import type {
  DeviceClass,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
} from '../../api/resource_v1.js';
import { DeviceClasses } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

/** One way to fulfil a request: the request itself, or one of its alternatives. */
export interface Wish {
  /** 'gpu', or 'gpu/large' of an alternative. */
  readonly name: string;
  readonly ask: ExactDeviceRequest | DeviceSubRequest;
  readonly deviceClass: DeviceClass;
  /** With what messages name their place: 'class x', 'claim ns/c'. */
  readonly selectors: readonly { readonly of: string; readonly at: number; readonly expression: string }[];
}

/** What a claim asks for: of each request the ways to fulfil it, in the order in which they are tried. */
export interface ClaimWishes {
  readonly claim: ResourceClaim;
  readonly requests: readonly { readonly name: string; readonly ways: readonly Wish[] }[];
}

/** A text: why there is no way to fulfil the claim. Models plugins/dynamicresources validateDeviceClass. */
export function wishesOf(claim: ResourceClaim, read: Reader): ClaimWishes | string {
  const { namespace = '', name: claimName = '' } = claim.metadata;
  const requests: ClaimWishes['requests'][number][] = [];
  for (const { name, exactly, firstAvailable = [] } of claim.spec.devices?.requests ?? []) {
    const asks = exactly
      ? [{ name, ask: exactly }]
      : firstAvailable.map((ask) => ({ name: `${name}/${ask.name}`, ask }));
    const ways: Wish[] = [];
    for (const one of asks) {
      const { deviceClassName, selectors } = one.ask;
      const deviceClass = read.get(DeviceClasses, { namespace: '', name: deviceClassName });
      if (!deviceClass) return `request ${one.name}: device class ${deviceClassName} does not exist`;
      ways.push({
        ...one,
        deviceClass,
        selectors: [
          ...expressionsOf(deviceClass.spec.selectors, `class ${deviceClassName}`),
          ...expressionsOf(selectors, `claim ${namespace}/${claimName}`),
        ],
      });
    }
    requests.push({ name, ways });
  }
  return { claim, requests };
}

const expressionsOf = (selectors: readonly DeviceSelector[] = [], of: string): Wish['selectors'] =>
  selectors.map(({ cel }, at) => ({ of, at, expression: cel?.expression ?? 'false' }));
