import type { FaultType } from './fault-type.js';
import { faults } from './index.generated.js';

const byName = new Map(faults.map((type) => [type.name, type]));

export const faultTypes: readonly FaultType[] = faults;
export const faultTypeOf = (name: string): FaultType | undefined => byName.get(name);
export const faultTypeNames: readonly string[] = [...byName.keys()].sort();
export type * from './effect.js';
export type * from './fault-type.js';
export * from './scope.js';
export * from './target.js';
export * from './values.js';
