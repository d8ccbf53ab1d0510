/**
 * Reads, writes and deletes single objects, by kind and by owner, as they were observed; what
 * Components and Groups note of tasks and members in annotations.
 */
package io.middleware.engine.activities.objects;
