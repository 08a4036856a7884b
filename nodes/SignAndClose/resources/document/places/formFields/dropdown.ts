import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../../messages/failures';
import {
	defineSearch,
	joinNameParts,
	readCached,
	readParameter,
	type DropdownEntry,
} from '../../../../form/dropdowns';
import type { ServiceClient } from '../../../../transport/client';
import { asObject } from '../../../../values/json';
import { findReadable, withFileBytes } from '../../files/bytes';
import { describeFieldObstacle, findFormFields } from './matches';

const BY_NAME = "Choose 'By Name' and enter it: 'Document: Get Places' lists the names";

/** Lists the fields at which something can be signed, of the PDF behind the link in the form. */
export const searchFormFields = defineSearch(async (context, connect) => {
	// n8n can't extract the value of a field that isn't shown.
	const isLink = context.getCurrentNodeParameter('source') === 'url';
	const url = isLink ? readParameter(context, 'fileUrl') : undefined;
	if (url === undefined)
		throw new InputFailure(
			'Field Name',
			"has a list only if 'Source' is 'Link (URL)', and the link is known before the node runs",
			BY_NAME,
		);
	const fields = asObject(context.getCurrentNodeParameter('additionalFields'));
	const service = await connect();
	// The header of a link is a password.
	const header = createHash('sha256').update(String(fields.authorization_header));
	return await readCached(
		service,
		['formFields', url, header.digest('hex')],
		async () => await fetchNames(service, url, fields),
	);
});

async function fetchNames(
	service: ServiceClient,
	url: string,
	headerFields: IDataObject,
): Promise<DropdownEntry[]> {
	const reader = {
		service,
		context: { getExecutionCancelSignal: () => undefined },
		params: { label: () => 'File URL' },
	};
	const file = findReadable(reader, url, headerFields, true)!;
	const form = await withFileBytes(reader, file, findFormFields);
	if ('problem' in form)
		throw new InputFailure(
			'File URL',
			`leads to a file that ${form.problem}`,
			"Choose another way in 'Where to Sign'",
		);
	const usable = form.fields.filter(
		(field) => field.kind !== 'other' && describeFieldObstacle(field, form.pages) === undefined,
	);
	const names = new Set<string>();
	return usable
		.filter(({ name }) => {
			const isFirst = !names.has(name);
			names.add(name);
			return isFirst;
		})
		.map(({ name, kind, page }) => ({
			name: joinNameParts([name, kind, `page ${page}`]),
			value: name,
		}));
}
