import type { Turn } from './chatModel.mts';
import type { Portfolio } from './portfolio.mts';

/** An agent of an office that closes loans: its tools, and what people ask it. */

/** A parameter that the model fills in, as the editor writes it. */
const byModel = (key: string, description: string, type = 'string') =>
	`={{ $fromAI('${key}', '${description}', '${type}', ${type === 'string' ? "''" : 'undefined'}) }}`;
const chosenByModel = (key: string, description: string) => ({
	__rl: true,
	mode: 'id',
	value: byModel(key, description),
});
const transactionId = chosenByModel('transaction_id', 'ID of the transaction');
const ofClosing = { platform: 'realEstate', transactionId };

/** The tools of the agent, as somebody who closes loans would set them up. */
export const TOOLS: Record<string, Record<string, unknown>> = {
	Find_closings: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		filters: {
			name_contains: byModel('name', 'Part of the name'),
			loan_number: byModel('loan_number', 'Loan number'),
			signer_email: byModel('signer_email', 'Email of a signer'),
		},
	},
	Open_closings: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'realEstate',
		filters: { detailed_status: ['open'] },
	},
	Find_agreements: {
		resource: 'transaction',
		operation: 'getAll',
		platform: 'business',
		filters: { name_contains: byModel('name', 'Part of the name') },
	},
	Get_closing: { resource: 'transaction', operation: 'get', ...ofClosing },
	Open_signers: {
		resource: 'signer',
		operation: 'getAll',
		...ofClosing,
		filters: { open_only: true },
	},
	Documents: { resource: 'document', operation: 'getAll', ...ofClosing },
	Record: {
		resource: 'notarizationRecord',
		operation: 'get',
		platform: 'realEstate',
		recordId: chosenByModel('record_id', 'ID of the notarization record'),
	},
	Notaries: { resource: 'notary', operation: 'getEligible', ...ofClosing },
	Check_address: {
		resource: 'address',
		operation: 'verify',
		transactionType: 'refinance',
		addressLine1: byModel('street', 'Street and number'),
		addressCity: byModel('city', 'City'),
		addressState: byModel('state', 'State, two letters'),
		addressZipCode: byModel('zip', 'Zip code'),
	},
	Check_account: { resource: 'account', operation: 'check', checkedPlatforms: 'realEstate' },
	Resend_email: { resource: 'transaction', operation: 'resendEmail', ...ofClosing },
	Resend_SMS: { resource: 'transaction', operation: 'resendSms', ...ofClosing },
	Send: { resource: 'transaction', operation: 'send', ...ofClosing },
	Recall: {
		resource: 'transaction',
		operation: 'recall',
		...ofClosing,
		evenIfSent: true,
		recallReason: byModel('reason', 'Why'),
	},
	Correct_signer: {
		resource: 'transaction',
		operation: 'correctSigner',
		settingsNotShown: 'set',
		closingSettings: { paper_note_consent: true },
		...ofClosing,
		signerId: chosenByModel('signer', 'ID or email of the signer'),
		corrections: { email: byModel('email', 'The right email') },
	},
	Rename: {
		resource: 'transaction',
		operation: 'update',
		settingsNotShown: 'none',
		...ofClosing,
		updateFields: { transaction_name: byModel('name', 'The new name') },
	},
	Delete: { resource: 'transaction', operation: 'delete', ...ofClosing },
	Open_closing: {
		resource: 'transaction',
		operation: 'createClosing',
		transactionType: 'refinance',
		transactionName: byModel('name', 'Name of the closing'),
		signers: {
			row: [
				{
					email: byModel('email', 'Email of the borrower'),
					first_name: byModel('first_name', 'First name of the borrower'),
					last_name: byModel('last_name', 'Last name of the borrower'),
				},
			],
		},
		addressLine1: byModel('street', 'Street and number'),
		addressCity: byModel('city', 'City'),
		addressState: byModel('state', 'State, two letters'),
		addressZipCode: byModel('zip', 'Zip code'),
		additionalFields: {
			recordingJurisdictionId: { __rl: true, mode: 'id', value: 'rlboston' },
			titleAgencyId: { __rl: true, mode: 'id', value: 'or_agency_harbor' },
			titleUnderwriterId: { __rl: true, mode: 'id', value: 'or_underwriter_atlantic' },
		},
	},
};

type Row = Record<string, any>;

/** What a tool told the model, as objects. */
const rowsIn = (told: string | undefined): Row[] => {
	const parsed = JSON.parse(told ?? 'null') as unknown;
	return (Array.isArray(parsed) ? parsed : [parsed]) as Row[];
};
export const last = (told: readonly string[]) => rowsIn(told.at(-1));

/** A call without what the model doesn't know. */
const call =
	(tool: string, args: object = {}): Turn =>
	() => [{ tool, args }];
/** A call about the transaction that was found before. */
export const onFound =
	(tool: string, args: object = {}): Turn =>
	(told) => [{ tool, args: { transaction_id: rowsIn(told[0])[0].transaction_id, ...args } }];
const found = (args: object) =>
	call('Find_closings', { name: '', loan_number: '', signer_email: '', ...args });
export const MILLER = found({ name: 'Miller' });
const BAKER = found({ name: 'Baker' });

/** What somebody asks, and how a model finds the answer. */
export interface Question {
	question: string;
	script: Turn[];
	/** What the model can say from what the tools told it. */
	answer: (told: readonly string[]) => string;
	expected: string | RegExp;
	/** The write that it needs, as the service gets it; none for a question that only reads. */
	write?: (of: Portfolio) => string;
}

export const names = (rows: Row[]) => rows.map(({ name }) => name as string).join(', ');
const HARBOR = { street: '100 Harbor Street', city: 'Boston', state: 'MA', zip: '02110' };
const path = (id: string, rest = '') => `/mortgage/v1/transactions/${id}${rest}`;

export const QUESTIONS: Question[] = [
	{
		question: 'Where is the Miller closing?',
		script: [MILLER],
		answer: (told) => `${last(told)[0].transaction_name}: ${last(told)[0].status}`,
		expected: /^Refinance Miller: (partially_completed|received|active|sent)$/,
	},
	{
		question: "Who hasn't signed loan 7001234?",
		script: [found({ loan_number: '7001234' }), onFound('Open_signers')],
		answer: (told) => names(last(told)),
		expected: 'Mark Miller',
	},
	{
		question: 'Resend to the co-borrower of the Millers.',
		script: [MILLER, onFound('Resend_email')],
		answer: (told) => `Sent again: ${last(told)[0].transaction_name}`,
		expected: 'Sent again: Refinance Miller',
		write: ({ miller }) => `POST ${path(miller, '/send_email')}`,
	},
	{
		question: 'Text Mark Miller the link, he reads no emails.',
		script: [MILLER, onFound('Resend_SMS')],
		answer: (told) => String(last(told)[0].transaction_id).slice(0, 3),
		expected: 'ot_',
		write: ({ miller }) => `POST ${path(miller, '/send_sms')}`,
	},
	{
		question: 'Which closings are still open?',
		script: [call('Open_closings')],
		answer: (told) =>
			last(told)
				.map((row) => row.transaction_name as string)
				.sort()
				.join(', '),
		expected: /Purchase Baker, Refinance Miller, Trial run/,
	},
	{
		question: 'Until when can the Millers sign?',
		script: [MILLER, onFound('Get_closing')],
		answer: (told) => `Expiry: ${last(told)[0].expiry}`,
		expected: /^Expiry: (\d{4}-\d\d-\d\d.*|null)$/,
	},
	{
		question: 'Which documents does the Baker closing have?',
		script: [BAKER, onFound('Documents')],
		answer: (told) =>
			last(told)
				.map((row) => row.document_name as string)
				.join(', '),
		expected: /Deed of Trust/,
	},
	{
		question: 'Is everybody of loan 7002222 reachable? Who signs there?',
		script: [found({ loan_number: '7002222' })],
		answer: (told) =>
			last(told)[0]
				.signers.map((signer: Row) => signer.email)
				.join(', '),
		expected: 'ben.baker@example.com',
	},
	{
		question: 'Rename the Baker closing to "Purchase Baker, unit 4".',
		script: [BAKER, onFound('Rename', { name: 'Purchase Baker, unit 4' })],
		answer: (told) => last(told)[0].transaction_name,
		expected: 'Purchase Baker, unit 4',
		write: ({ baker }) => `PUT ${path(baker)}`,
	},
	{
		question: 'The Baker package is complete. Send it.',
		script: [BAKER, onFound('Send')],
		answer: (told) => last(told)[0].status,
		expected: /^sent/,
		write: ({ baker }) => `POST ${path(baker, '/place_order')}`,
	},
	{
		question: 'Pull the Baker closing back, the rate is wrong.',
		script: [BAKER, onFound('Recall', { reason: 'The rate is wrong' })],
		answer: (told) => last(told)[0].status,
		expected: 'started',
		write: ({ baker }) => `POST ${path(baker, '/recall')}`,
	},
	{
		question: "Ben Baker's email is ben@baker.example. Correct it.",
		script: [BAKER, onFound('Correct_signer', { signer: 'ben-baker', email: 'ben@baker.example' })],
		answer: (told) => last(told)[0].signers[0].email,
		expected: 'ben@baker.example',
		write: ({ baker }) => `PUT ${path(baker)}`,
	},
	{
		question: 'Who notarized the Carter closing, and when?',
		script: [
			found({ name: 'Carter' }),
			(told) => [
				{ tool: 'Record', args: { record_id: rowsIn(told[0])[0].notarization_record_id } },
			],
		],
		answer: (told) => `${last(told)[0].notary_name}, ${last(told)[0].meeting_end}`,
		expected: /^\S+ .*, \d{4}-/,
	},
	{
		question: 'Where is the closing of cora.carter@example.com?',
		script: [found({ signer_email: 'cora.carter@example.com' })],
		answer: (told) => last(told)[0].status,
		expected: 'completed',
	},
	{
		question: 'Is there a closing for Smith?',
		script: [found({ name: 'Smith' })],
		answer: (told) => (last(told).some((row) => row?.transaction_id) ? 'Yes' : 'No'),
		expected: 'No',
	},
	{
		question: 'Did Dora Dunn sign the NDA?',
		script: [call('Find_agreements', { name: 'Dunn' })],
		answer: (told) => (last(told)[0].signers[0].open === true ? 'Not yet' : 'Yes'),
		expected: 'Not yet',
	},
	{
		question: 'Can 100 Harbor Street in Boston be closed online?',
		script: [call('Check_address', HARBOR)],
		answer: (told) => String(last(told)[0].recording_jurisdiction_id),
		expected: 'rlboston',
	},
	{
		question: 'Does our key work for closings?',
		script: [call('Check_account')],
		answer: (told) => last(told).find((row) => row.check === 'realEstate')?.state as string,
		expected: 'open',
	},
	{
		question: 'Which notaries could meet the Millers?',
		script: [MILLER, onFound('Notaries')],
		answer: (told) => String(last(told).length > 0),
		expected: 'true',
	},
	{
		question: 'Open a refinance closing for Nora Novak, 100 Harbor Street, Boston.',
		script: [
			call('Open_closing', {
				name: 'Refinance Novak',
				email: 'nora.novak@example.com',
				first_name: 'Nora',
				last_name: 'Novak',
				...HARBOR,
			}),
		],
		answer: (told) => `${last(told)[0].transaction_name}: ${last(told)[0].status}`,
		expected: 'Refinance Novak: started',
		write: () => 'POST /mortgage/v1/transactions',
	},
	{
		question: 'Delete the trial run.',
		script: [found({ name: 'Trial' }), onFound('Delete')],
		answer: (told) => String(last(told)[0].deleted),
		expected: 'true',
		write: ({ trial }) => `DELETE ${path(trial)}`,
	},
];
