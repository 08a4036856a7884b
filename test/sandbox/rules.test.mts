/**
 * The documented rules of docs/service in the order of its pages, each with the tests that hold the
 * sandbox to it; what a field may hold is left to the tests of the calls. A rule whose test is gone
 * fails here, and so does a test of these sections that stands behind no rule: a title begins with
 * the headings of its sections. What the documented interface leaves open is no rule.
 */

import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

const RULES: Record<string, string[]> = {
	'docs/service/api.md#base-url-and-requests: bodies and responses are JSON': [
		'Base URL and requests: bodies and responses are JSON',
	],
	'docs/service/api.md#base-url-and-requests: all endpoints need authentication': [
		'Base URL and requests: every operation needs authentication',
	],
	'docs/service/api.md#base-url-and-requests: Content-Type application/json': [
		'Base URL and requests: a body goes with Content-Type application/json',
	],
	'docs/service/api.md#api-key: it goes in the header ApiKey': [
		'API key: it goes in the header ApiKey; none and a wrong one get 401',
	],
	'docs/service/api.md#kinds-of-keys: retrieval and archiving use a full access key': [
		'Kinds of keys: a full access key retrieves and archives',
		'Kinds of keys: a client-only key may only create',
	],
	'docs/service/api.md#keys-and-organizations: a key belongs to an organization': [
		'Keys and organizations: a key of the parent sees the transactions of its children, not the other way round',
	],
	'docs/service/api.md#keys-and-organizations: the key that made a webhook decides whose transactions it hears of: parent and children, or the child only':
		[
			"Keys and organizations: a parent's webhook hears of its children, a child's of its own only; the parent sees both",
		],
	'docs/service/transactions.md#create-a-business-transaction: path with and without a trailing slash':
		['Create a business transaction: at /transactions, with and without a slash at the end'],
	'docs/service/transactions.md#create-a-business-transaction: one signer email and one document are the minimum':
		['Create a business transaction: one signer with an email and one document are the minimum'],
	'docs/service/transactions.md#create-a-business-transaction: with draft true the documents can be left out':
		['Create a business transaction: a draft can leave the documents out'],
	'docs/service/transactions.md#create-a-business-transaction: designations need an external_id and a draft':
		['Create a business transaction: designations need an external_id of the signer and a draft'],
	'docs/service/transactions.md#create-a-business-transaction: designations cannot be supplied through this endpoint':
		['Create a business transaction: designations can not be supplied here'],
	'docs/service/transactions.md#create-a-closing: the body': [
		'Create a closing: takes every documented parameter',
		'Create a closing: refuses %s',
	],
	'docs/service/transactions.md#create-a-closing: created as a draft by default': [
		'Create a closing: a draft by default',
	],
	'docs/service/transactions.md#retrieve-a-transaction: links to the finished documents and the audit trail':
		['Retrieve a transaction: links to each finished document and to the audit trail'],
	'docs/service/transactions.md#retrieve-a-transaction: notarization_record when a notarization took place':
		['Retrieve a transaction: notarization_record when a notarization took place, not otherwise'],
	'docs/service/signers.md#selfie-retakes, docs/service/errors.md#failed-selfies, docs/service/api.md#limits: two retakes of a failed selfie, on the third failure a trusted referee':
		[
			'Selfie retakes, failed selfies, limits: a signer may retake a failed selfie twice, the third failure goes to a trusted referee',
			'Selfie retakes: a signer who fails twice can still pass',
		],
	'docs/service/documents.md#add-a-document: resource is a URL or base64': [
		'Add a document: the resource is the URL of a PDF, or the PDF in base64',
		'Add a document: from a URL, with the authorization header given for it',
	],
	'docs/service/documents.md#add-a-document: requirement, flags, designations': [
		'Add a document: takes each documented requirement, the flags and designations',
	],
	'docs/service/documents.md#add-a-document, docs/service/api.md#limits: only PDF files are supported':
		['Add a document, limits: only PDF files'],
	"docs/service/documents.md#signer-identifier: a designation carries its signer's external_id, a notary designation the literal notary":
		[
			'Signer identifier: a signer without external_id can not have designations, the notary always can',
		],
	'docs/service/documents.md#conditional-designations: the trigger is optional and chooses an identifier, the dependent designation has the same':
		[
			'Conditional designations: the trigger is optional and carries the identifier that the dependent designation names',
		],
	'docs/service/documents.md#conditional-designations: when the signer selects the trigger, the dependent designation must be completed':
		['Conditional designations: a dependent one is filled when its trigger was selected'],
	'docs/service/documents.md#bookmarked-pdfs, docs/service/api.md#limits: a bookmarked PDF is split in about 5 minutes; its documents can be set only afterwards':
		[
			'Bookmarked PDFs, limits: the split takes about five minutes; its documents can be set only afterwards',
			'Bookmarked PDFs: requirement and flags of the upload are not those of its parts',
		],
	'docs/service/documents.md#bookmarked-pdfs: HTTP 200, upload in progress, new ids by Retrieve Transaction, flags by Update Document':
		[
			'Bookmarked PDFs: one answers 200 and that the upload is in progress; the new ids come with Retrieve Transaction and take flags by Update Document',
		],
	'docs/service/documents.md#update-a-document: accepts every attribute that Add Document accepts':
		[
			'Update a document: accepts every attribute that Add Document accepts',
			'Update a document: what is sent is what the document has afterwards',
		],
	'docs/service/documents.md#get-a-document: returns one document by the id in the transaction': [
		'Get a document: one document, by the id in the transaction',
	],
	'docs/service/documents.md#get-a-document: encoding=base64': [
		'Get a document: encoding=base64 answers the content, before and after completion',
	],
	'docs/service/documents.md#retrieve-a-document: returns the binary content of one document': [
		'Retrieve a document: the binary content of one document',
	],
	'docs/service/documents.md#links, docs/service/api.md#limits: signed links are temporary; 900 seconds':
		['Links, limits: one lives 900 seconds and needs no key; each retrieval gives new ones'],
	'docs/service/documents.md#links: audit trail, final documents, identification images, notarized documents':
		[
			'Links: those of audit trail, final documents, identification images and notarized documents end after 900 seconds',
		],
	'docs/service/closings.md#verify-an-address: method, path and query': [
		'Verify an address: line1, city and state are enough on the documented path',
		'Verify an address: the query is transaction_type and street_address with line1, city and state',
	],
	'docs/service/closings.md#enote: an XML file as URL or base64': [
		'eNote: the XML file as a URL or as base64',
	],
	'docs/service/closings.md#enote, docs/service/api.md#limits: XML seeds and SMARTDoc 1.02': [
		'eNote, limits: it is XML, a SMART document of version 1.02 or a seed',
	],
	'docs/service/closings.md#enote: real estate, lender only': [
		'eNote: real estate and lenders only',
	],
	'docs/service/closings.md#closing-team: the closing team adds designations, arranges the signing time and then sends the transaction to the signer':
		[
			'Closing team: it takes an order, prepares it, and then sends it to the signer',
			'Closing team: it can send a draft, which is how a documented-only service gets one to the signer',
		],
	'docs/service/notarization.md#notarization-record: Retrieve Meeting Record answers it': [
		'Notarization record: Retrieve Meeting Record answers every field of it',
	],
	'docs/service/notarization.md#meeting-video: shape of video_url, returns the recording': [
		'Meeting video: the video_url has the documented shape and returns the recording',
	],
	'docs/service/webhooks.md#create-a-webhook: path and body': [
		'Create a webhook: POST /v2/webhooks/ with url and subscriptions',
	],
	'docs/service/webhooks.md#list-webhooks: returns the identifiers': [
		'List webhooks: the identifiers of the webhooks that are set up',
	],
	'docs/service/webhooks.md#deliveries: events are HTTP requests to the url of a subscription, for the events it names':
		[
			'Deliveries: an HTTP request goes to the url of the subscription, for the events that it names and no others',
		],
	'docs/service/webhooks.md#deliveries: the payload carries only the event name and the transaction id; completed and completed_with_rejections: documents are ready':
		[
			'Deliveries: the payload carries the event name and the transaction id only; further detail needs Retrieve Transaction',
			'Deliveries: the payload is the event and the transaction id, on live services with the date',
			'Deliveries: a documented-only service has no event without a transaction id',
		],
	'docs/service/webhooks.md#events: when a signer opens the email and when the signer completes signing':
		['Events: the signer opens the email and completes signing'],
	'docs/service/webhooks.md#event-records: Get Webhook Events returns them with their delivery result':
		['Event records: for one webhook an array of them with their delivery result'],
	'docs/service/webhooks.md#find-failed-deliveries: what failed after retries is found with Get Webhook Events, by name, code and time; the id is in the payload':
		[
			'Find failed deliveries: what failed after retries is found with Get Webhook Events, by event name, response code and delivered time',
		],
	'docs/service/states.md#documented-states: status completed and completed_with_rejections, detailed_status and signing_status complete, creation mode draft':
		['Documented states: they are completed, completed_with_rejections, complete and draft'],
	'docs/service/states.md#fixed-behaviours: real estate transactions are created as drafts by default':
		['Fixed behaviours: a closing is created as a draft, whatever `draft` says'],
	'docs/service/states.md#fixed-behaviours: a business draft stays a draft until completed by the client; documents can be added afterwards':
		['Fixed behaviours: a business draft stays a draft and takes documents afterwards'],
	'docs/service/states.md#fixed-behaviours: completed or completed with rejections: documents are ready and the corresponding event is sent':
		['Fixed behaviours: in the state %s the documents are ready and %s is sent'],
	'docs/service/errors.md#statuses: errors are indicated by HTTP status codes': [
		'Statuses: errors are indicated by HTTP status codes',
	],
	'docs/service/errors.md#failed-deliveries: one is recorded with code, body and error text': [
		'Failed deliveries: each attempt is recorded with code, body, error and the payload as a string',
	],
};

/** Titles of all tests in this folder and below. */
const here = new URL('./', import.meta.url);
const titles = readdirSync(here, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.test.mts') && name !== 'rules.test.mts')
	.flatMap((name) =>
		[
			...readFileSync(new URL(name, here), 'utf8').matchAll(/(?:\btest|\]\))\(\s*(['"`])(.*?)\1,/g),
		].map(([, , title]) => title),
	);

/** The sections that a rule cites, as page and anchor. */
const cited = (rule: string) =>
	[...rule.matchAll(/docs\/service\/(\w+)\.md#([\w-]+)/g)].map(([, page, anchor]) => ({
		page,
		anchor,
	}));
const sections = (rule: string) => cited(rule).map(({ anchor }) => anchor);

/** What a title begins with, as anchors. */
const topics = (title: string) =>
	title
		.split(': ')[0]
		.split(', ')
		.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));

describe('rules of docs/service', () => {
	test.each(Object.entries(RULES))('%s', (rule, tests) => {
		expect(tests.length).toBeGreaterThan(0);
		for (const title of tests) {
			expect(titles).toContain(title);
			expect(topics(title)).toContain(sections(rule)[0]);
		}
		// A section that the rule cites is in the name of its first test, so that it is found from
		// either side.
		expect(topics(tests[0])).toEqual(expect.arrayContaining(sections(rule)));
	});
	test('each title stands once, and each test of these sections stands behind one rule', () => {
		const anchors = new Set(Object.keys(RULES).flatMap(sections));
		const found = titles.filter((title) => topics(title).some((topic) => anchors.has(topic)));
		expect(found.filter((title, index) => found.indexOf(title) !== index)).toEqual([]);
		const listed = Object.values(RULES).flat();
		expect(listed.filter((title, index) => listed.indexOf(title) !== index)).toEqual([]);
		expect(found.sort()).toEqual([...listed].sort());
	});
	test('every page of docs/service has rules', () => {
		const pages = readdirSync(new URL('../../docs/service/', here))
			.map((name) => name.replace(/\.md$/, ''))
			.filter((page) => page !== 'README');
		const withRules = Object.keys(RULES)
			.flatMap(cited)
			.map(({ page }) => page);
		expect([...new Set(withRules)].sort()).toEqual(pages.sort());
	});
});
