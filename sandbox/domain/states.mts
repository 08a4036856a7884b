/**
 * Every state of a transaction (docs/service/states.md). A new state needs its names here, a row in
 * STATES, and an action (actors/) or an operation (operations/) that moves transactions there
 * (transitions.mts).
 */

export type Status =
	| 'started'
	| 'sent_to_closing_ops'
	| 'sent_to_title_agency'
	| 'sent'
	| 'received'
	| 'partially_completed'
	| 'active'
	| 'completed'
	| 'completed_with_rejections'
	| 'expired'
	| 'canceled';

export type DetailedStatus =
	| 'draft'
	| 'recalled'
	| 'order_placed'
	| 'ready_for_review'
	| 'sent_to_title_agent'
	| 'sent_to_signer'
	| 'viewed'
	| 'partially_complete'
	| 'esign_complete'
	| 'converted_to_wet_sign'
	| 'meeting_in_progress'
	| 'attempted'
	| 'held_for_review'
	| 'on_hold'
	| 'declined'
	| 'awaiting_payment'
	| 'complete'
	| 'wet_sign_complete'
	| 'identify_complete_idv_passed'
	| 'complete_with_rejections'
	| 'identify_complete_idv_failed'
	| 'expired'
	| 'canceled';

/** Absent while the transaction is a draft. */
export type SigningStatus = 'incomplete' | 'in_progress' | 'complete';

export interface State {
	/** Absent where a transaction keeps the status it had. */
	status?: Status;
	detailedStatus: DetailedStatus;
}

export const STATES = {
	// With the client
	draft: { status: 'started', detailedStatus: 'draft' },
	recalled: { status: 'started', detailedStatus: 'recalled' },
	// With the closing team or the title agency
	orderPlaced: { status: 'sent_to_closing_ops', detailedStatus: 'order_placed' },
	readyForReview: { detailedStatus: 'ready_for_review' },
	reviewed: { detailedStatus: 'order_placed' },
	withTitleAgency: { status: 'sent_to_title_agency', detailedStatus: 'sent_to_title_agent' },
	// With the signers
	sentToSigner: { status: 'sent', detailedStatus: 'sent_to_signer' },
	viewed: { status: 'received', detailedStatus: 'viewed' },
	withReferee: { status: 'received', detailedStatus: 'held_for_review' },
	partiallySigned: { status: 'partially_completed', detailedStatus: 'partially_complete' },
	convertedToPaper: { detailedStatus: 'converted_to_wet_sign' },
	/** Of a hybrid closing. The rest is signed on paper. */
	eSigned: { status: 'partially_completed', detailedStatus: 'esign_complete' },
	// With the notary
	inMeeting: { status: 'active', detailedStatus: 'meeting_in_progress' },
	meetingFailed: { detailedStatus: 'attempted' },
	// Held: nobody can continue until somebody reviews or resumes it
	heldForReview: { detailedStatus: 'held_for_review' },
	onHold: { detailedStatus: 'on_hold' },
	// Ended
	completed: { status: 'completed', detailedStatus: 'complete' },
	signedOnPaper: { status: 'completed', detailedStatus: 'wet_sign_complete' },
	identityConfirmed: { status: 'completed', detailedStatus: 'identify_complete_idv_passed' },
	rejected: { status: 'completed_with_rejections', detailedStatus: 'complete_with_rejections' },
	identityNotConfirmed: {
		status: 'completed_with_rejections',
		detailedStatus: 'identify_complete_idv_failed',
	},
	/** Where the signer pays: completed, but the documents are not released yet. */
	awaitingPayment: { detailedStatus: 'awaiting_payment' },
	declined: { detailedStatus: 'declined' },
	expired: { status: 'expired', detailedStatus: 'expired' },
	/** Nobody has seen which of the two shows it, or whether both do: a switch. */
	canceled: { status: 'canceled', detailedStatus: 'canceled' },
} as const satisfies Record<string, State>;
