import type { FaultScene } from '../scene.mts';
import { documentScenes } from './documents.mts';
import { placeScenes } from './places.mts';
import { transactionScenes } from './transactions.mts';
import { webhookScenes } from './webhooks.mts';

/** The scenes of all operations, by `resource/operation`. */
export const SCENES: Record<string, FaultScene> = {
	...placeScenes,
	...transactionScenes,
	...documentScenes,
	...webhookScenes,
};
