import { defineOperation } from '../../core/operation';
import { documentLocator, transactionLocator } from '../../fields/shared/locators';
import { platform, readPlatform, simplify } from '../../fields/shared/platform';
import {
	retrieveDocument,
	simplifyDocument,
	withDocumentIds,
} from '../../service/resources/documents';

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
	properties: [
		platform,
		transactionLocator,
		documentLocator,
		{
			displayName: 'Content',
			name: 'content',
			type: 'options',
			options: [
				{
					name: 'Base64 Text',
					value: 'base64',
					description: "In the 'data' field. To get a file, use 'Document: Download'.",
				},
				{
					name: 'Link',
					value: 'uri',
					description: 'A link to the finished document, once the transaction is complete',
				},
				{ name: 'None', value: 'none', description: 'Only name, requirement and status' },
			],
			default: 'none',
			description: 'How to include the file content',
		},
		simplify,
	],
	async execute({ service, params }) {
		const transactionId = params.requiredLocator('transactionId');
		const content = params.choice('content') ?? 'none';
		const encoding = content === 'none' ? undefined : content;
		const document = await retrieveDocument(
			service,
			transactionId,
			params.requiredLocator('documentId'),
			readPlatform(params),
			encoding,
		);
		if (!params.boolean('simplify')) return { json: withDocumentIds(transactionId, document) };
		const { data, uri } = document;
		return {
			json: {
				...simplifyDocument(transactionId, document),
				...(data !== undefined && { data }),
				...(uri !== undefined && { uri }),
			},
		};
	},
});
