import com.itextpdf.text.*;
import com.itextpdf.text.pdf.*;
import java.io.FileOutputStream;
import java.nio.file.*;
import java.util.*;
import java.util.List;

/** Makes the forms whose lines stand in files: pairs of such a file and the PDF to write. */
public class WithIText {
	public static void main(String[] files) throws Exception {
		for (int i = 0; i < files.length; i += 2) make(Files.readAllLines(Path.of(files[i])), files[i + 1]);
	}

	static void make(List<String> lines, String pdf) throws Exception {
		List<String[]> rows = lines.stream().map(line -> line.split("\t")).toList();
		List<String[]> pages = rows.stream().filter(words -> words[0].equals("page")).toList();
		Document document = new Document(new Rectangle(number(pages.get(0)[1]), number(pages.get(0)[2])));
		PdfWriter writer = PdfWriter.getInstance(document, new FileOutputStream(pdf));
		document.open();
		addFields(writer, rows.stream().filter(words -> words[0].equals("field")).toList());
		BaseFont font = BaseFont.createFont(BaseFont.HELVETICA, BaseFont.WINANSI, false);
		for (int page = 1; page <= pages.size(); page++) {
			PdfContentByte content = writer.getDirectContent();
			for (String[] words : rows) {
				if (!words[0].equals("caption") || !words[1].equals("" + page)) continue;
				content.beginText();
				content.setFontAndSize(font, 8);
				content.setTextMatrix(number(words[2]), number(words[3]));
				content.showText(words[4]);
				content.endText();
			}
			writer.setPageEmpty(false);
			document.newPage();
		}
		document.close();
	}

	static void addFields(PdfWriter writer, List<String[]> rows) throws Exception {
		Map<String, PdfFormField> parents = new LinkedHashMap<>();
		List<PdfFormField> roots = new ArrayList<>();
		for (String[] words : rows) {
			PdfFormField field = makeField(writer, words);
			List<String> names = new ArrayList<>(List.of(words[2].split("\\.")));
			field.setFieldName(names.remove(names.size() - 1));
			PdfFormField parent = null;
			String path = "";
			for (String name : names) {
				path += "." + name;
				PdfFormField found = parents.get(path);
				if (found == null) {
					found = PdfFormField.createEmpty(writer);
					found.setFieldName(name);
					parents.put(path, found);
					if (parent == null) roots.add(found);
					else parent.addKid(found);
				}
				parent = found;
			}
			if (parent == null) roots.add(field);
			else parent.addKid(field);
		}
		for (PdfFormField root : roots) writer.addAnnotation(root);
	}

	static PdfFormField makeField(PdfWriter writer, String[] words) {
		PdfFormField field = switch (words[1]) {
			case "signature" -> PdfFormField.createSignature(writer);
			case "text" -> PdfFormField.createTextField(writer, false, false, 0);
			default -> PdfFormField.createCheckBox(writer);
		};
		boolean isOne = words.length == 8;
		for (int i = 3; i < words.length; i += 5) {
			PdfFormField widget = isOne ? field : PdfFormField.createEmpty(writer);
			Rectangle box = new Rectangle(number(words[i + 1]), number(words[i + 2]), number(words[i + 3]), number(words[i + 4]));
			widget.setWidget(box, PdfAnnotation.HIGHLIGHT_NONE);
			widget.setFlags(PdfAnnotation.FLAGS_PRINT);
			widget.setPlaceInPage(Integer.parseInt(words[i]));
			if (!isOne) field.addKid(widget);
		}
		return field;
	}

	static float number(String word) {
		return Float.parseFloat(word);
	}
}
