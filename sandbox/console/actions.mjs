// The buttons of the console: each action of a transaction (see actors/actionNames.mts) with its
// label.

/** Always shown, even while they aren't possible. */
export const MAIN_ACTIONS = ['sign', 'notarize', 'reject'];
/** Shown beside the main ones, but only when they are what comes next. */
export const NEXT_ACTIONS = [
	'sendToSigner',
	'signOnPaper',
	'passReferee',
	'review',
	'resume',
	'pay',
];

/** The labels outside of the groups, so each one says who acts. */
export const LABELS = {
	sign: 'Signer signs',
	notarize: 'Notary completes',
	reject: 'Reject document',
	sendToSigner: 'Closing team sends to signer',
	signOnPaper: 'Signer signs on paper',
	passReferee: 'Trusted referee confirms',
	review: 'Finish review',
	resume: 'Take off hold',
	pay: 'Signer pays',
};

/** The actions under "More actions", by who takes them. */
export const MORE_ACTIONS = {
	Signer: {
		openEmail: 'Open the email',
		failSelfie: 'Fail the selfie',
		failKnowledge: 'Fail the questions',
		passReferee: 'Pass the trusted referee',
		failIdentity: 'Fail to confirm the identity',
		signOnPaper: 'Sign on paper',
		pay: 'Pay',
		decline: 'Decline',
	},
	Notary: { failMeeting: 'Fail the meeting' },
	'Closing team': {
		importDocument: 'Import a document',
		failImport: 'Fail an import',
		reportNoUnderwriter: 'Report no underwriter',
		prepareForReview: 'Prepare for review',
		sendToTitleAgency: 'Send to title agency',
		sendToSigner: 'Send to signer',
		convertToPaper: 'Convert to paper',
	},
	Service: {
		failProcessing: 'Fail the processing of a document',
		detectMediumRisk: 'Detect medium risk',
		detectHighRisk: 'Detect high risk',
		holdForReview: 'Hold for review',
		review: 'Finish review',
		putOnHold: 'Put on hold',
		resume: 'Take off hold',
		cancel: 'Cancel',
		recall: 'Recall',
		expire: 'Expire',
	},
};

/** What a review of a notary can result in. */
export const COMPLIANCE = {
	compliant: 'Compliant',
	needs_review: 'Needs review',
	non_compliant: 'Not compliant',
};
