import { InputFailure } from '../../messages/explainedFailure';
import { listEntries, take } from '../../transport/answers/pages';
import type { ServiceClient } from '../../transport/client';
import { sameId } from '../../values/ids';
import { asText } from '../../values/json';

/**
 * Reads a template, by ID or permalink. Its permalink, which is a short text or a URL, is what
 * `resource` of a document takes (docs/service/documents.md#resource).
 * @throws InputFailure when it is empty or the service has no such template
 */
export async function readTemplate(
	service: ServiceClient,
	given: string | undefined,
	label: string,
): Promise<string> {
	const remedy = 'Choose one from the list, or enter its ID or permalink';
	if (given === undefined) throw new InputFailure(label, 'is empty', remedy);
	if (URL.canParse(given)) return given;
	const [template] = await take(
		listEntries(service, 'listTemplates'),
		1,
		({ id, permalink }) => permalink === given || sameId(id, given),
	);
	const permalink = asText(template?.permalink);
	if (permalink === undefined) throw new InputFailure(label, `${given} was not found`, remedy);
	return permalink;
}
