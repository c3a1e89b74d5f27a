export const SETTINGS = Symbol('settings');
export const LOG_STORE = Symbol('log store');
export const DATABASE = Symbol('database');
export const ANNOUNCER = Symbol('announcer');
/** The connection of BullMQ: shared by the queue and the worker of a process. */
export const TASK_CONNECTION = Symbol('task connection');
