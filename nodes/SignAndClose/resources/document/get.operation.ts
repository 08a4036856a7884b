import { defineOperation } from '../../run/operation';
import { retrieveTransaction } from '../../transport/answers/transaction';
import { platform, simplify } from '../../form/commonFields';
import { defineChoice } from '../../form/fields';
import { documentLocator, transactionLocator } from '../../form/locators';
import {
	readFinalLink,
	findDocument,
	retrieveDocument,
	simplifyDocument,
	withDocumentIds,
} from './api';
import { parseDocumentPlace } from './form';

const NO_LINK =
	"There's no link yet. The service gives one once the transaction is complete and, if the signer pays, released";

/**
 * Retrieves a document, with its content as base64 or as a link where that was chosen
 * (docs/service/documents.md#get-a-document).
 */
export const getDocument = defineOperation({
	resource: 'document',
	value: 'get',
	name: 'Get',
	action: 'Get document',
	description: 'Retrieve a document, optionally with its content as base64 text',
	kind: 'read',
	passesFiles: true,
	properties: [
		platform,
		transactionLocator,
		documentLocator,
		defineChoice(
			'Content',
			'content',
			[
				['Base64 Text', 'base64', "In the 'data' field. To get a file, use 'Document: Download'."],
				[
					'Link',
					'uri',
					"A link to the finished document, in the 'final_document_url' field, once the transaction is complete",
				],
				['None', 'none', 'Only name, requirement and status'],
			],
			'How to include the file content',
			{ default: 'none' },
		),
		simplify,
	],
	async execute({ service, params }) {
		const { transactionId, documentId, platform } = parseDocumentPlace(params);
		const content = params.getChoice('content') ?? 'none';
		// Real estate sends the content unless it's asked for a link, and has none to send while the
		// document is processed. Its transaction shows the same fields.
		const { data, ...document } =
			content === 'none' && platform === 'realEstate'
				? findDocument(await retrieveTransaction(service, transactionId, platform), documentId)
				: await retrieveDocument(
						service,
						transactionId,
						documentId,
						platform,
						content === 'none' ? undefined : content,
					);
		const link = readFinalLink(document);
		const simple = params.getBoolean('simplify');
		return {
			json: {
				...(simple
					? simplifyDocument(transactionId, document)
					: withDocumentIds(transactionId, document)),
				...(content === 'base64' && data !== undefined && { data }),
				...(content === 'uri' && simple && { final_document_url: link ?? null }),
				...(document.uri !== undefined && { uri: document.uri }),
			},
			hint: content === 'uri' && link === undefined ? NO_LINK : undefined,
		};
	},
});
