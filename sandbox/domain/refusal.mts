/** How the service refuses requests: with which status, text and shape (docs/service/errors.md). */

/** One service has six shapes of error bodies (docs/service/errors.md#error-bodies). */
const SHAPES = {
	list: (text: string) => ({ errors: [text] }),
	messageAndList: (text: string) => ({ message: text, errors: [text] }),
	request: (text: string) => ({ errors: { request: text } }),
	requestList: (text: string) => ({ errors: { request: [text] } }),
	error: (text: string) => ({ error: text }),
	text: (text: string) => ({ errors: text }),
};
type Shape = keyof typeof SHAPES;

/** Thrown for a request that the service refuses. */
export class Refusal extends Error {
	readonly status: number;
	/** Undefined where nobody publishes it. */
	readonly shape?: Shape;

	constructor(status: number, text: string, shape?: Shape) {
		super(text);
		this.status = status;
		this.shape = shape;
	}
}

/**
 * The body of a refusal. Where its shape is not published, it depends on the endpoint and the
 * status alone, so that it is the same in each run and a client meets all six.
 */
export function refusalBody(
	operationId: string,
	status: number,
	text: string,
	shape?: Shape,
): unknown {
	if (shape !== undefined) return SHAPES[shape](text);
	const sum = [...`${operationId}${status}`].reduce(
		(total, letter) => total + letter.charCodeAt(0),
		0,
	);
	const all = Object.values(SHAPES);
	return all[sum % all.length](text);
}

/**
 * Refuses a request because of a business rule, which answers 422
 * (docs/service/errors.md#statuses).
 */
export function refuse(text: string): never {
	throw new Refusal(422, text);
}

/**
 * Refusals whose status, text and shape are published (docs/service/errors.md#common-answers,
 * docs/service/errors.md#errors-of-each-call). Without a shape here, it is a list.
 */
const PUBLISHED = {
	// Common answers
	unauthenticated: [401, 'Invalid authentication credentials', 'messageAndList'],
	noTransaction: [404, 'Transaction Not Found'],
	noDocument: [404, 'Document Not Found'],
	noResource: [404, 'resource not found', 'request'],
	noOrganization: [404, 'Not Found: Organization'],
	notFound: [404, 'Not Found'],
	notModifiable: [422, 'Transaction Cannot Be Modified'],
	// Platforms and features
	businessOnly: [401, 'Unauthorized: This organization must use the Business API for transactions'],
	realEstateOnly: [422, 'You must use the RealEstate API for real estate transactions'],
	notInTier: [401, 'Feature not available in current tier'],
	noNotaryInstructions: [403, 'Organization does not have access to notary_instructions'],
	// Signers
	invalidEmail: [400, 'Invalid email format.'],
	signersTwice: [422, 'Use either the signers array or signer/cosigner input fields'],
	// Transactions
	notEditable: [422, 'Transaction cannot be edited at this time.'],
	signed: [422, 'Transaction has already been completed by at least 1 signer.'],
	sendNotAllowed: [403, 'Not allowed to Send Transactions'],
	expired: [422, 'Transaction has expired'],
	notRecallable: [422, 'Organization Transaction cannot be recalled at this time.'],
	noForceComplete: [403, 'Not allowed to Force Complete in this environment'],
	forceCompleteFailed: [422, 'Unable to force complete transaction.'],
	// Reminders
	emailBeforeSend: [422, 'Cannot resend email for started transaction.'],
	invalidPhone: [
		400,
		'Invalid Phone Number. Please include country code and phone number in e164 format.',
	],
	noPhones: [422, 'Cannot send sms: One or more signers do not have a phone number'],
	noSmsFeature: [422, 'Could not send sms: missing_feature'],
	noContact: [404, 'Contact not found for transaction'],
	inactive: [422, 'Cannot resend email for inactive transactions.'],
	// Documents
	invalidEncoding: [400, 'Invalid encoding'],
	contentNotReady: [409, 'Document processing: done'],
	importRuns: [400, 'Mortgage::ExternalDocumentService::JobExists'],
	// eNotes
	borrowersNotArray: [400, 'borrowers argument must be array'],
	noEnoteInHybrid: [403, 'Cannot add enotes to hybrid transactions.'],
	noEnoteOnPaper: [422, 'Cannot add enotes to wet sign transactions.'],
	sentWithEnote: [422, 'Transaction cannot be modified from sent state'],
	// Places and parties
	invalidType: [400, 'Transaction type is invalid'],
	lendersOnlyRule: [422, 'Only available to lenders and title agencies'],
	lendersOnlyFeature: [403, 'Only available to lenders and title agencies'],
	emailOrAddress: [400, 'Email or address is required'],
	notPermitted: [403, 'Organization not permitted to use this endpoint'],
	// Templates, notaries, webhooks
	invalidParameters: [400, 'invalid request parameters', 'requestList'],
	notaryRefused: [422, 'Notary cannot be added'],
	badSubscription: [422, 'Invalid subscription passed'],
} as const satisfies Record<string, readonly [number, string, Shape?]>;

type PublishedName = keyof typeof PUBLISHED;

/** A refusal as it is published. */
export function published(name: PublishedName): Refusal {
	const [status, text, shape = 'list']: readonly [number, string, Shape?] = PUBLISHED[name];
	return new Refusal(status, text, shape);
}

/** A refusal whose text has a variable part: the status and the shape are published. */
export function publishedText(status: number, text: string): Refusal {
	return new Refusal(status, text, 'list');
}

/**
 * The texts of the service whose status and shape nobody publishes
 * (docs/service/errors.md#texts-worth-a-remedy).
 */
export const TEXTS = {
	noSigner: 'Need at least 1 signer',
	noEmail: 'Customer email not present',
	typeUnknown: 'Invalid Value for transaction_type',
	tooBig: 'File is too big (max is 30MB)',
	noEnote: 'eNote Required',
	noDesignations: 'Esign required yet no Signer Designations specified in Document Bundle',
};
