import { milliValue, quantityValue } from '../../../../../engine/machinery/quantity/quantity.js';

/** Thousandths of a CPU; 0 for none. */
export const milliCores = (text: string | undefined): number => (text === undefined ? 0 : milliValue(text));
/** Bytes; 0 for none. */
export const bytesOfQuantity = (text: string | undefined): number => (text === undefined ? 0 : quantityValue(text));
