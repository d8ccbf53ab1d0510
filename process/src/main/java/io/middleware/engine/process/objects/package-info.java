/** Objects on the API server that others write as well: how to read them, and write onto them. */
@NullMarked
package io.middleware.engine.process.objects;

import org.jspecify.annotations.NullMarked;
