import type { Operation } from '../core/operation';
import * as list from './list';

/** The operations of list.ts as an array. */
export const operations: readonly Operation[] = Object.values(list);
