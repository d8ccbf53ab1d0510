package io.middleware.engine.worker.docs;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which types the modules have, and which others and which values they use. */
final class SourceTree {
  private static final Pattern IMPORT = Pattern.compile("import (?:static )?[\\w.]+\\.(\\w+);");
  private static final Pattern VALUE = Pattern.compile("\"([A-Z][A-Za-z]+)\"");
  private static final Pattern LINK = Pattern.compile("\\(([^)]+\\.java)\\)");
  private static SourceTree read;

  private final Map<String, String> types = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  /** Read once, as each page asks. */
  static synchronized SourceTree under(Path root) throws IOException {
    if (read == null) {
      read = new SourceTree(root);
    }
    return read;
  }

  private SourceTree(Path root) throws IOException {
    files(root, ".java").forEach(this::add);
  }

  /** Without what builds and local servers make, and may take away meanwhile. */
  static List<Path> files(Path root, String suffix) throws IOException {
    var found = new ArrayList<Path>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            var name = folder.getFileName().toString();
            var isMade = name.equals("target") || (name.startsWith(".") && !folder.equals(root));
            return isMade ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(suffix)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream().sorted().toList();
  }

  private void add(Path file) {
    var text = text(file);
    types.put(file.getFileName().toString().replace(".java", ""), text);
    if (file.toString().contains("/main/")) {
      IMPORT.matcher(text).results().forEach(found -> used.add(found.group(1)));
      VALUE.matcher(text).results().forEach(found -> used.add(found.group(1)));
    }
  }

  /**
   * @param member of the type; null when none is named
   */
  boolean knows(String name, String member) {
    var source = types.get(name);
    return source == null
        ? used.contains(name)
        : member == null || Pattern.compile("\\b" + member + "\\b").matcher(source).find();
  }

  /** All sources that a part of a page links. */
  static String text(Path page, String part) {
    return LINK.matcher(part)
        .results()
        .map(link -> text(page.resolveSibling(link.group(1))))
        .collect(joining());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
