import java.nio.file.*;
import java.util.*;
import org.apache.pdfbox.cos.*;
import org.apache.pdfbox.pdmodel.*;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.interactive.annotation.*;
import org.apache.pdfbox.pdmodel.interactive.form.*;

/** Makes the forms whose lines stand in files: pairs of such a file and the PDF to write. */
public class WithPdfBox {
	public static void main(String[] files) throws Exception {
		for (int i = 0; i < files.length; i += 2) make(Path.of(files[i]), files[i + 1]);
	}

	static void make(Path lines, String pdf) throws Exception {
		try (PDDocument document = new PDDocument()) {
			PDAcroForm form = new PDAcroForm(document);
			document.getDocumentCatalog().setAcroForm(form);
			PDResources resources = new PDResources();
			resources.put(COSName.getPDFName("Helv"), PDType1Font.HELVETICA);
			form.setDefaultResources(resources);
			form.setDefaultAppearance("/Helv 0 Tf 0 g");
			for (String line : Files.readAllLines(lines)) {
				String[] words = line.split("\t");
				if (words[0].equals("page")) document.addPage(new PDPage(new PDRectangle(number(words[1]), number(words[2]))));
				if (words[0].equals("caption")) writeCaption(document, words);
				if (words[0].equals("field")) addField(document, form, words);
			}
			document.save(pdf);
		}
	}

	static void writeCaption(PDDocument document, String[] words) throws Exception {
		PDPage page = document.getPage(Integer.parseInt(words[1]) - 1);
		try (PDPageContentStream content = new PDPageContentStream(document, page, PDPageContentStream.AppendMode.APPEND, true)) {
			content.beginText();
			content.setFont(PDType1Font.HELVETICA, 8);
			content.newLineAtOffset(number(words[2]), number(words[3]));
			content.showText(words[4].replaceAll("[^ -~]", "?"));
			content.endText();
		}
	}

	static void addField(PDDocument document, PDAcroForm form, String[] words) throws Exception {
		PDTerminalField field = switch (words[1]) {
			case "signature" -> new PDSignatureField(form);
			case "text" -> new PDTextField(form);
			default -> new PDCheckBox(form);
		};
		List<String> names = new ArrayList<>(List.of(words[2].split("\\.")));
		field.setPartialName(names.remove(names.size() - 1));
		List<PDAnnotationWidget> widgets = new ArrayList<>();
		for (int i = 3; i < words.length; i += 5) {
			// A field with one widget is one dictionary with it (12.5.6.19).
			PDAnnotationWidget widget = words.length == 8 ? field.getWidgets().get(0) : new PDAnnotationWidget();
			PDPage page = document.getPage(Integer.parseInt(words[i]) - 1);
			float x = number(words[i + 1]);
			float y = number(words[i + 2]);
			widget.setRectangle(new PDRectangle(x, y, number(words[i + 3]) - x, number(words[i + 4]) - y));
			widget.setPage(page);
			widget.setPrinted(true);
			page.getAnnotations().add(widget);
			widgets.add(widget);
		}
		if (widgets.size() > 1) field.setWidgets(widgets);
		addToParent(form, names, field);
	}

	static void addToParent(PDAcroForm form, List<String> names, PDField field) {
		PDNonTerminalField parent = null;
		String path = "";
		for (String name : names) {
			path += path.isEmpty() ? name : "." + name;
			PDNonTerminalField found = (PDNonTerminalField) form.getField(path);
			if (found == null) {
				found = new PDNonTerminalField(form);
				found.setPartialName(name);
				addKid(form, parent, found);
			}
			parent = found;
		}
		addKid(form, parent, field);
	}

	static void addKid(PDAcroForm form, PDNonTerminalField parent, PDField kid) {
		List<PDField> kids = new ArrayList<>(parent == null ? form.getFields() : parent.getChildren());
		kids.add(kid);
		if (parent == null) form.setFields(kids);
		else {
			parent.setChildren(kids);
			kid.getCOSObject().setItem(COSName.PARENT, parent);
		}
	}

	static float number(String word) {
		return Float.parseFloat(word);
	}
}
