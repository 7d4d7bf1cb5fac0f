package main

/*
#include <stdlib.h>
#include <vips/vips.h>

// Decodes all of a picture, as servers do that know nothing better, and resizes it.
static int resize_whole(const char *path, int width, VipsImage **out) {
	VipsImage *full = vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
	if (full == NULL) return -1;
	int failed = vips_resize(full, out, (double) width / full->Xsize, "kernel", VIPS_KERNEL_LANCZOS3, NULL);
	g_object_unref(full);
	return failed;
}

static int resize_shrunk(const char *path, int width, VipsImage **out) {
	return vips_thumbnail(path, out, width, "height", VIPS_MAX_COORD, NULL);
}

// Nothing is done before this: it pulls the pixels through decoder and resizer.
static int save(VipsImage *picture, int quality, int progressive, void **bytes, size_t *length) {
	return vips_jpegsave_buffer(picture, bytes, length, "Q", quality, "interlace", progressive,
		"optimize_coding", FALSE, "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_ON,
		"keep", VIPS_FOREIGN_KEEP_NONE, NULL);
}
*/
import "C"

import (
	"errors"
	"log"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"pictures/serve"
)

var (
	shrinks     = os.Getenv("SHRINK_ON_LOAD") == "on"
	progressive = os.Getenv("PROGRESSIVE") == "on"
)

// start readies libvips: as many threads a picture as THREADS says, and no cache of what it has done.
func start() {
	name := C.CString("pictures")
	defer C.free(unsafe.Pointer(name))
	if C.vips_init(name) != 0 {
		log.Fatal(problem())
	}
	threads, err := strconv.Atoi(os.Getenv("THREADS"))
	if err != nil {
		log.Fatal(err)
	}
	C.vips_concurrency_set(C.int(threads))
	C.vips_cache_set_max(0)
}

func resize(path string, width int) ([]byte, error) {
	// libvips tells what went wrong to the thread that it went wrong on.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	how := resizeWhole
	if shrinks {
		how = resizeShrunk
	}
	var picture *C.VipsImage
	if how(file, C.int(width), &picture) != 0 {
		return nil, problem()
	}
	defer C.g_object_unref(C.gpointer(picture))
	var bytes unsafe.Pointer
	var length C.size_t
	if C.save(picture, serve.Quality, truth(progressive), &bytes, &length) != 0 {
		return nil, problem()
	}
	defer C.g_free(C.gpointer(bytes))
	return C.GoBytes(bytes, C.int(length)), nil
}

func resizeWhole(path *C.char, width C.int, out **C.VipsImage) C.int {
	return C.resize_whole(path, width, out)
}

func resizeShrunk(path *C.char, width C.int, out **C.VipsImage) C.int {
	return C.resize_shrunk(path, width, out)
}

func truth(value bool) C.int {
	if value {
		return 1
	}
	return 0
}

func problem() error {
	defer C.vips_error_clear()
	return errors.New(C.GoString(C.vips_error_buffer()))
}
