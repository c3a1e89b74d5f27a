export * from '../../machinery/quota-usage.js';
