import type { Operation } from '../run/operation';
import * as list from './list';

/** The operations of list.ts as an array. */
export const operations: readonly Operation[] = Object.values(list);
