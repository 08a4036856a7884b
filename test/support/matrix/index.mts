import { DOCUMENTS } from './documents.mts';
import { OTHERS } from './others.mts';
import type { Fixture } from './scene.mts';
import { TRANSACTIONS } from './transactions.mts';

export type { Scene } from './scene.mts';

/** One entry an operation; a test fails when one is missing. */
export const FIXTURES: Record<string, Fixture> = { ...TRANSACTIONS, ...DOCUMENTS, ...OTHERS };
