/**
 * The names of all actions that people and the service can take on a transaction, sorted by who
 * takes them. An action has the same name in `sandbox.act`, in the console's paths and behind its
 * buttons.
 */

import type { Transaction, World } from '../world/world.mts';

export const ACTIONS_BY_ACTOR = {
	signer: [
		'openEmail',
		'sign',
		'reject',
		'decline',
		'pay',
		'signOnPaper',
		'failSelfie',
		'passReferee',
		'failKnowledge',
		'failIdentity',
	],
	notary: ['notarize', 'failMeeting'],
	closingTeam: [
		'importDocument',
		'failImport',
		'reportNoUnderwriter',
		'prepareForReview',
		'sendToTitleAgency',
		'sendToSigner',
		'convertToPaper',
	],
	service: [
		'failProcessing',
		'detectMediumRisk',
		'detectHighRisk',
		'holdForReview',
		'review',
		'putOnHold',
		'resume',
		'cancel',
		'recall',
		'expire',
	],
} as const;

type Actor = keyof typeof ACTIONS_BY_ACTOR;
export type ActionName<A extends Actor = Actor> = (typeof ACTIONS_BY_ACTOR)[A][number];

export const ACTION_NAMES: readonly ActionName[] = Object.values(ACTIONS_BY_ACTOR).flat();

export interface ActionOptions {
	/** Index of the signer who acts. By default, the signer whose turn it is. */
	signer?: number;
	/**
	 * The optional designations that the signer selects, by primary_designation_identifier. By
	 * default, all of them.
	 */
	select?: string[];
	reason?: string;
	/** Id of the document that it is about. By default, the first to which it can happen. */
	document?: string;
}

/** Carries out an action whose conditions are met. */
export type ActionHandler = (
	world: World,
	transaction: Transaction,
	options: ActionOptions,
) => void | Promise<void>;

/** The handlers of all actions of one actor. */
export type ActionHandlers<A extends Actor> = Record<ActionName<A>, ActionHandler>;

/** Thrown when an action can't be taken now. The message tells the person why. */
export class ActionNotPossible extends Error {}
